//! The executor: one script, suspended between inputs. It polls once for each input and never on its own.

use std::any::Any;
use std::cell::RefCell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use parlor_core::{Asks, Luck, Outcome, Seats, Told};

use crate::desk::{Mail, Shared};
use crate::open::Asked;
use crate::pose::Pause;
use crate::script::{Interrupt, Next, Script};
use crate::table::Table;
use crate::tape::{Amended, Saved, Step, Tape, Unanswered, What, bytes, sealed, unsealed};

/// A segment at work. It owns its table; there is no other way to keep both in safe code.
type Scene<S> = Pin<Box<dyn Future<Output = (Table<S>, Result<Next, Interrupt>)> + Send>>;

enum Act<S: Script> {
    Open(Scene<S>),
    Over(Box<Table<S>>, Outcome),
    /// The rules broke down in the middle of a change. The house throws this run away.
    Broken,
}

struct Live<S: Script> {
    desk: Shared<S>,
    act: Act<S>,
}

/// A running script.
pub(crate) struct Running<S: Script> {
    /// A look at a suspended script is a poll: that is a change for the compiler, and for nobody else.
    live: RefCell<Live<S>>,
    tape: Tape,
    seats: u8,
}

/// What a suspended script takes up, in bytes; see [`crate::suspended`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// The future with the state in it, as it lies on the heap.
    pub future: usize,
    /// The executor, with the place where requests lie.
    pub executor: usize,
    /// The start of the segment and what has come since.
    pub tape: usize,
    /// The state, as saved bytes: about what it keeps on the heap beside the future.
    pub state: usize,
}

impl Footprint {
    /// All together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.future + self.executor + self.tape + self.state
    }
}

fn scene<S: Script>(mut table: Table<S>) -> Scene<S> {
    Box::pin(async move {
        table.borrow_loan();
        let next = S::segment(&mut table).await;
        table.return_loan();
        (table, next)
    })
}

impl<S: Script> Live<S> {
    fn new(game: S, seats: u8, next_ask: u32, unanswered: Vec<Unanswered>) -> Self {
        let desk = Shared::new();
        let table = Table { unanswered, ..Table::hosted(game, seats, next_ask, desk.clone()) };
        Self { desk, act: Act::Open(scene(table)) }
    }

    /// Polls once. The script is broken while it runs, and stays so if it panics.
    fn poll(&mut self) -> Poll<(Table<S>, Result<Next, Interrupt>)> {
        let Act::Open(mut scene) = std::mem::replace(&mut self.act, Act::Broken) else {
            panic!("{}: this run of the script is over", S::NAME);
        };
        self.desk.lock().asked = false;
        let polled = scene.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if polled.is_pending() {
            assert!(
                self.desk.lock().asked,
                "{}: the script waits for something that is not a request",
                S::NAME
            );
            self.act = Act::Open(scene);
        }
        polled
    }

    /// Runs until the script waits or the match is over. Calls `seam` with the table between two segments.
    fn run(&mut self, mut seam: impl FnMut(&Table<S>, &mut Luck)) {
        for _ in 0..parlor_core::limits::FUEL_PER_INPUT_MAX {
            let Poll::Ready((mut table, ended)) = self.poll() else { return };
            self.desk.lock().asks = Asks::new();
            let next = match ended {
                Ok(next) => next,
                Err(Interrupt::Left(seat)) => {
                    table.interrupt = None;
                    S::left(&mut table, seat)
                }
                Err(Interrupt::Stopped) => return,
            };
            match next {
                Next::Over(outcome) => {
                    self.act = Act::Over(Box::new(table), outcome);
                    return;
                }
                Next::Again => {
                    seam(&table, &mut self.desk.lock().loan.luck);
                    self.act = Act::Open(scene(table));
                }
            }
        }
        panic!("{}: segment after segment, and nothing is ever asked", S::NAME);
    }

    /// Does a job with the script as it waits.
    fn look<R: Send + 'static>(
        &mut self,
        job: impl FnOnce(&mut Table<S>, &mut dyn Asked<S>) -> R + Send + 'static,
    ) -> R {
        if let Act::Over(table, _) = &mut self.act {
            return job(table, &mut Pause::over());
        }
        let boxed = move |table: &mut Table<S>, asked: &mut dyn Asked<S>| -> Box<dyn Any + Send> {
            Box::new(job(table, asked))
        };
        self.desk.lock().mail = Some(Mail::Job(Box::new(boxed)));
        assert!(self.poll().is_pending(), "a look does not move the script");
        let reply = self.desk.lock().reply.take().and_then(|reply| reply.downcast().ok());
        *reply.expect("a waiting script does its jobs")
    }
}

impl<S: Script> Running<S> {
    /// Starts a match.
    pub(crate) fn start(game: S, seats: u8, luck: &mut Luck, told: &mut Told) -> Self {
        let tape = Tape::new(&game, 0, Vec::new());
        let mut running = Self { live: RefCell::new(Live::new(game, seats, 0, Vec::new())), tape, seats };
        running.tape.opening = running.drive(None, true, luck, told).1;
        running
    }

    /// Starts a match to which nobody listens.
    pub(crate) fn silent(game: S, seats: u8, luck: &mut Luck, told: &mut Told) -> Self {
        let tape = Tape::new(&game, 0, Vec::new());
        let mut running = Self { live: RefCell::new(Live::new(game, seats, 0, Vec::new())), tape, seats };
        running.tape.opening = running.drive(None, false, luck, told).1;
        running
    }

    /// Runs the script on, with luck and effects lent to it. Says whether a new segment began, and what was drawn in the
    /// last one.
    fn drive(
        &mut self,
        mail: Option<Mail<S>>,
        listening: bool,
        luck: &mut Luck,
        told: &mut Told,
    ) -> (bool, Vec<u32>) {
        let live = self.live.get_mut();
        luck.keep();
        {
            let mut desk = live.desk.lock();
            desk.mail = mail;
            std::mem::swap(&mut desk.loan.luck, luck);
            std::mem::swap(&mut desk.loan.out.told, told);
            desk.loan.out.listening = listening;
        }
        let (tape, mut crossed) = (&mut self.tape, false);
        live.run(|table, luck| {
            crossed = true;
            luck.keep();
            *tape = Tape::new(&table.game, table.next_ask, table.unanswered.clone());
        });
        let mut desk = live.desk.lock();
        std::mem::swap(&mut desk.loan.luck, luck);
        std::mem::swap(&mut desk.loan.out.told, told);
        (crossed, luck.kept())
    }

    /// Lets one thing happen and keeps it for the next time the segment is run.
    pub(crate) fn happen(&mut self, what: What<S>, listening: bool, luck: &mut Luck, told: &mut Told) {
        let mail = match &what {
            What::Answer { seat, said } => Mail::Answer { seat: *seat, said: said.clone() },
            What::Elapsed { ask, seat } => Mail::Elapsed { ask: *ask, seat: *seat },
            What::Left(seat) => Mail::Interrupt(Interrupt::Left(*seat)),
            What::Amend(amended) => return self.amend(amended.clone()),
        };
        let (crossed, words) = self.drive(Some(mail), listening, luck, told);
        if crossed {
            self.tape.opening = words;
        } else {
            self.tape.push(&Step { what, words });
        }
    }

    /// Puts another state, and other sealed answers, in place of these.
    pub(crate) fn amend(&mut self, amended: Box<Amended<S>>) {
        let Amended { game, sealed } = amended.as_ref().clone();
        self.live.get_mut().look(move |table, asked| {
            table.game = game;
            asked.seal(unsealed(&sealed));
        });
        if matches!(self.live.get_mut().act, Act::Open(_)) {
            self.tape.push(&Step { what: What::Amend(amended), words: Vec::new() });
        }
    }

    /// A script brought to where this tape ends, by running its segment again.
    ///
    /// # Panics
    /// When these rules are not those that the tape was made with.
    fn again(tape: &Tape, seats: u8) -> Self {
        let start: S = postcard::from_bytes(&tape.start).expect("a state of other rules");
        let live = RefCell::new(Live::new(start, seats, tape.next_ask, tape.unanswered.clone()));
        let opened = Tape { opening: Vec::new(), steps: Vec::new(), ..tape.clone() };
        let mut running = Self { live, tape: opened, seats };
        let (mut told, mut luck) = (Told::default(), Luck::again(tape.opening.clone()));
        running.tape.opening = running.drive(None, false, &mut luck, &mut told).1;
        for step in tape.steps() {
            let Step { what, words } = step.expect("a step of other rules");
            running.happen(what, false, &mut Luck::again(words), &mut told);
        }
        assert!(running.tape == *tape, "{}: other rules wrote this log", S::NAME);
        running
    }

    /// Looks at the script as it waits. If the game's own code panics on the way, the script is made again first.
    pub(crate) fn look<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Table<S>, &mut dyn Asked<S>) -> R + Send + 'static,
    ) -> R {
        let mut live = self.live.borrow_mut();
        let looked = catch_unwind(AssertUnwindSafe(|| live.look(job)));
        looked.unwrap_or_else(|panic| {
            if matches!(live.act, Act::Broken) {
                *live = Self::again(&self.tape, self.seats)
                    .live
                    .replace(Live { desk: Shared::new(), act: Act::Broken });
            }
            drop(live);
            resume_unwind(panic)
        })
    }

    pub(crate) fn copy(&self) -> Self {
        let over = match &self.live.borrow().act {
            Act::Over(table, outcome) => Some((table.game.clone(), table.next_ask, outcome.clone())),
            _ => None,
        };
        let Some((game, next_ask, outcome)) = over else { return Self::again(&self.tape, self.seats) };
        let desk = Shared::new();
        let table = Table::hosted(game, self.seats, next_ask, desk.clone());
        let act = Act::Over(Box::new(table), outcome);
        Self { live: RefCell::new(Live { desk, act }), tape: self.tape.clone(), seats: self.seats }
    }

    /// Another world that none of these viewers can tell from this one; `None` where nothing is hidden.
    pub(crate) fn other_world(&self, viewers: Seats, luck: &mut Luck) -> Option<Self> {
        let mut twin = self.copy();
        let mut lent = luck.clone();
        let (changed, lent) = twin.live.get_mut().look(move |table, asked| {
            let mut game = table.game.clone();
            if !game.resample(viewers, &mut lent) {
                return (None, lent);
            }
            let other = sealed(&asked.resealed(&game, viewers, &mut lent));
            let same = bytes(&game) == bytes(&table.game) && other == sealed(asked.sealed());
            (Some((!same).then(|| Box::new(Amended { game, sealed: other }))), lent)
        });
        *luck = lent;
        if let Some(amended) = changed? {
            twin.amend(amended);
        }
        Some(twin)
    }

    pub(crate) fn asks(&self) -> Asks {
        self.live.borrow().desk.lock().asks.clone()
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        match &self.live.borrow().act {
            Act::Over(_, outcome) => Some(outcome.clone()),
            _ => None,
        }
    }

    pub(crate) fn seats(&self) -> u8 {
        self.seats
    }

    pub(crate) fn saved(&self) -> Saved {
        let (now, sealed) = self.look(|table, asked| (bytes(&table.game), sealed(asked.sealed())));
        let asks = self.asks().iter().map(|ask| (ask.id, ask.seats)).collect();
        Saved { seats: self.seats, tape: self.tape.clone(), now, sealed, asks, over: self.outcome() }
    }

    /// The script that was saved, run again to where it was. `None` if these rules come to another state.
    pub(crate) fn restored(saved: &Saved) -> Option<Self> {
        let running = Self::replayed(&saved.tape, saved.seats)?;
        let again = running.saved();
        let same = (&again.now, &again.sealed, &again.asks, &again.over)
            == (&saved.now, &saved.sealed, &saved.asks, &saved.over);
        same.then_some(running)
    }

    /// The script that older rules saved between two segments, in the state that these rules make of it.
    pub(crate) fn migrated(saved: &Saved, start: &S) -> Option<Self> {
        let tape = Tape { start: bytes(start), ..saved.tape.clone() };
        if tape.at_seam() && saved.over.is_none() { Self::replayed(&tape, saved.seats) } else { None }
    }

    fn replayed(tape: &Tape, seats: u8) -> Option<Self> {
        catch_unwind(AssertUnwindSafe(|| Self::again(tape, seats))).ok()
    }

    pub(crate) fn footprint(&self) -> Footprint {
        let live = self.live.borrow();
        let future = match &live.act {
            Act::Open(scene) => size_of_val(&**scene),
            Act::Over(..) => size_of::<Table<S>>(),
            Act::Broken => 0,
        };
        drop(live);
        Footprint {
            future,
            executor: size_of::<Self>() + size_of::<crate::desk::Desk<S>>() + 2 * size_of::<usize>(),
            tape: self.tape.footprint(),
            state: self.saved().now.len(),
        }
    }
}

impl<S: Script> Drop for Running<S> {
    /// A match that is killed, or goes back, ends this run: the script hears of it by its `?`, and nobody of what it
    /// does then.
    fn drop(&mut self) {
        let live = self.live.get_mut();
        if matches!(live.act, Act::Open(_)) {
            live.desk.lock().mail = Some(Mail::Interrupt(Interrupt::Stopped));
            let _ = catch_unwind(AssertUnwindSafe(|| live.poll()));
        }
    }
}
