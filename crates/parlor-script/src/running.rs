//! The executor: runs one script, suspended between inputs. It polls once for each input, and never on its own.

use std::any::Any;
use std::cell::RefCell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use parlor_core::{Asks, Outcome, OutputBuffer, Rng, Seats};

use crate::asking::Pause;
use crate::bridge::{Mail, Shared};
use crate::journal::{Amended, Saved, SegmentJournal, Step, Unanswered, What, bytes, sealed, unsealed};
use crate::open::Asked;
use crate::script::{Interrupt, Next, Script};
use crate::table::Table;

/// A running segment. It owns its table; safe code has no other way to keep both.
type SegmentFuture<S> = Pin<Box<dyn Future<Output = (Table<S>, Result<Next, Interrupt>)> + Send>>;

enum RunState<S: Script> {
    Open(SegmentFuture<S>),
    Over(Box<Table<S>>, Outcome),
    /// The rules panicked in the middle of a change. The engine discards this run.
    Broken,
}

struct Live<S: Script> {
    bridge: Shared<S>,
    run_state: RunState<S>,
}

/// A running script.
pub(crate) struct Running<S: Script> {
    /// Reading a suspended script polls it, which needs a mutable reference, but changes nothing.
    live: RefCell<Live<S>>,
    journal: SegmentJournal,
    seats: u8,
}

/// The memory of a suspended script, in bytes; see [`crate::suspended`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// The future, including the state, on the heap.
    pub future: usize,
    /// The executor, including the bridge.
    pub executor: usize,
    /// The start of the segment and the inputs since.
    pub journal: usize,
    /// The state, as saved bytes: about what it keeps on the heap apart from the future.
    pub state: usize,
}

impl Footprint {
    /// The sum.
    #[must_use]
    pub fn total(&self) -> usize {
        self.future + self.executor + self.journal + self.state
    }
}

fn segment_future<S: Script>(mut table: Table<S>) -> SegmentFuture<S> {
    Box::pin(async move {
        table.borrow_loan();
        let next = S::segment(&mut table).await;
        table.return_loan();
        (table, next)
    })
}

impl<S: Script> Live<S> {
    fn new(game: S, seats: u8, next_ask: u32, unanswered: Vec<Unanswered>) -> Self {
        let bridge = Shared::new();
        let table = Table { unanswered, ..Table::dyn_game(game, seats, next_ask, bridge.clone()) };
        Self { bridge, run_state: RunState::Open(segment_future(table)) }
    }

    /// Polls once. The script is marked broken while it runs, and stays so if it panics.
    fn poll(&mut self) -> Poll<(Table<S>, Result<Next, Interrupt>)> {
        let RunState::Open(mut segment_future) = std::mem::replace(&mut self.run_state, RunState::Broken)
        else {
            panic!("{}: this run of the script is over", S::NAME);
        };
        self.bridge.lock().asked = false;
        let polled = segment_future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        if polled.is_pending() {
            assert!(
                self.bridge.lock().asked,
                "{}: the script waits for something that is not a request",
                S::NAME
            );
            self.run_state = RunState::Open(segment_future);
        }
        polled
    }

    /// Runs until the script waits or the match is over. Calls `seam` with the table between two segments.
    fn run(&mut self, mut seam: impl FnMut(&Table<S>, &mut Rng)) {
        for _ in 0..parlor_core::limits::FUEL_PER_INPUT_MAX {
            let Poll::Ready((mut table, ended)) = self.poll() else { return };
            self.bridge.lock().asks = Asks::new();
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
                    self.run_state = RunState::Over(Box::new(table), outcome);
                    return;
                }
                Next::Again => {
                    seam(&table, &mut self.bridge.lock().loan.rng);
                    self.run_state = RunState::Open(segment_future(table));
                }
            }
        }
        panic!("{}: segment after segment, and nothing is ever asked", S::NAME);
    }

    /// Runs a function on the script while it waits.
    fn look<R: Send + 'static>(
        &mut self,
        job: impl FnOnce(&mut Table<S>, &mut dyn Asked<S>) -> R + Send + 'static,
    ) -> R {
        if let RunState::Over(table, _) = &mut self.run_state {
            return job(table, &mut Pause::over());
        }
        let boxed = move |table: &mut Table<S>, asked: &mut dyn Asked<S>| -> Box<dyn Any + Send> {
            Box::new(job(table, asked))
        };
        self.bridge.lock().mail = Some(Mail::Job(Box::new(boxed)));
        assert!(self.poll().is_pending(), "a look does not move the script");
        let reply = self.bridge.lock().reply.take().and_then(|reply| reply.downcast().ok());
        *reply.expect("a waiting script does its jobs")
    }
}

impl<S: Script> Running<S> {
    /// Starts a match.
    pub(crate) fn start(game: S, seats: u8, rng: &mut Rng, output: &mut OutputBuffer) -> Self {
        let journal = SegmentJournal::new(&game, 0, Vec::new());
        let mut running = Self { live: RefCell::new(Live::new(game, seats, 0, Vec::new())), journal, seats };
        running.journal.opening = running.drive(None, true, rng, output).1;
        running
    }

    /// Starts a match without output.
    pub(crate) fn silent(game: S, seats: u8, rng: &mut Rng, output: &mut OutputBuffer) -> Self {
        let journal = SegmentJournal::new(&game, 0, Vec::new());
        let mut running = Self { live: RefCell::new(Live::new(game, seats, 0, Vec::new())), journal, seats };
        running.journal.opening = running.drive(None, false, rng, output).1;
        running
    }

    /// Runs the script with these random numbers and this output. Returns whether a new segment began, and the random
    /// words drawn in the last one.
    fn drive(
        &mut self,
        mail: Option<Mail<S>>,
        listening: bool,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> (bool, Vec<u32>) {
        let live = self.live.get_mut();
        rng.keep();
        {
            let mut bridge = live.bridge.lock();
            bridge.mail = mail;
            std::mem::swap(&mut bridge.loan.rng, rng);
            std::mem::swap(&mut bridge.loan.out.output, output);
            bridge.loan.out.listening = listening;
        }
        let (journal, mut crossed) = (&mut self.journal, false);
        live.run(|table, rng| {
            crossed = true;
            rng.keep();
            *journal = SegmentJournal::new(&table.game, table.next_ask, table.unanswered.clone());
        });
        let mut bridge = live.bridge.lock();
        std::mem::swap(&mut bridge.loan.rng, rng);
        std::mem::swap(&mut bridge.loan.out.output, output);
        (crossed, rng.kept())
    }

    /// Applies one input and adds it to the journal.
    pub(crate) fn happen(
        &mut self,
        what: What<S>,
        listening: bool,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) {
        let mail = match &what {
            What::Answer { seat, answer } => Mail::Answer { seat: *seat, answer: answer.clone() },
            What::Elapsed { ask, seat } => Mail::Elapsed { ask: *ask, seat: *seat },
            What::Left(seat) => Mail::Interrupt(Interrupt::Left(*seat)),
            What::Amend(amended) => return self.amend(amended.clone()),
        };
        let (crossed, words) = self.drive(Some(mail), listening, rng, output);
        if crossed {
            self.journal.opening = words;
        } else {
            self.journal.push(&Step { what, words });
        }
    }

    /// Replaces the state and the sealed answers.
    pub(crate) fn amend(&mut self, amended: Box<Amended<S>>) {
        let Amended { game, sealed } = amended.as_ref().clone();
        self.live.get_mut().look(move |table, asked| {
            table.game = game;
            asked.seal(unsealed(&sealed));
        });
        if matches!(self.live.get_mut().run_state, RunState::Open(_)) {
            self.journal.push(&Step { what: What::Amend(amended), words: Vec::new() });
        }
    }

    /// Restores the script at the end of this journal, by running its segment again.
    ///
    /// # Panics
    /// If these rules are not those that wrote the journal.
    fn again(journal: &SegmentJournal, seats: u8) -> Self {
        let start: S = postcard::from_bytes(&journal.start).expect("a state of other rules");
        let live = RefCell::new(Live::new(start, seats, journal.next_ask, journal.unanswered.clone()));
        let opened = SegmentJournal { opening: Vec::new(), steps: Vec::new(), ..journal.clone() };
        let mut running = Self { live, journal: opened, seats };
        let (mut output, mut rng) = (OutputBuffer::default(), Rng::again(journal.opening.clone()));
        running.journal.opening = running.drive(None, false, &mut rng, &mut output).1;
        for step in journal.steps() {
            let Step { what, words } = step.expect("a step of other rules");
            running.happen(what, false, &mut Rng::again(words), &mut output);
        }
        assert!(running.journal == *journal, "{}: other rules wrote this log", S::NAME);
        running
    }

    /// Runs a function on the script while it waits. If the game's own code panics in it, the script is restored
    /// first.
    pub(crate) fn look<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Table<S>, &mut dyn Asked<S>) -> R + Send + 'static,
    ) -> R {
        let mut live = self.live.borrow_mut();
        let looked = catch_unwind(AssertUnwindSafe(|| live.look(job)));
        looked.unwrap_or_else(|panic| {
            if matches!(live.run_state, RunState::Broken) {
                *live = Self::again(&self.journal, self.seats)
                    .live
                    .replace(Live { bridge: Shared::new(), run_state: RunState::Broken });
            }
            drop(live);
            resume_unwind(panic)
        })
    }

    pub(crate) fn copy(&self) -> Self {
        let over = match &self.live.borrow().run_state {
            RunState::Over(table, outcome) => Some((table.game.clone(), table.next_ask, outcome.clone())),
            _ => None,
        };
        let Some((game, next_ask, outcome)) = over else { return Self::again(&self.journal, self.seats) };
        let bridge = Shared::new();
        let table = Table::dyn_game(game, self.seats, next_ask, bridge.clone());
        let run_state = RunState::Over(Box::new(table), outcome);
        Self {
            live: RefCell::new(Live { bridge, run_state }),
            journal: self.journal.clone(),
            seats: self.seats,
        }
    }

    /// A twin: another script that none of these viewers can tell from this one; `None` if nothing is hidden.
    pub(crate) fn other_world(&self, viewers: Seats, rng: &mut Rng) -> Option<Self> {
        let mut twin = self.copy();
        let mut lent = rng.clone();
        let (changed, lent) = twin.live.get_mut().look(move |table, asked| {
            let mut game = table.game.clone();
            if !game.resample(viewers, &mut lent) {
                return (None, lent);
            }
            let other = sealed(&asked.resealed(&game, viewers, &mut lent));
            let same = bytes(&game) == bytes(&table.game) && other == sealed(asked.sealed());
            (Some((!same).then(|| Box::new(Amended { game, sealed: other }))), lent)
        });
        *rng = lent;
        if let Some(amended) = changed? {
            twin.amend(amended);
        }
        Some(twin)
    }

    pub(crate) fn asks(&self) -> Asks {
        self.live.borrow().bridge.lock().asks.clone()
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        match &self.live.borrow().run_state {
            RunState::Over(_, outcome) => Some(outcome.clone()),
            _ => None,
        }
    }

    pub(crate) fn seats(&self) -> u8 {
        self.seats
    }

    pub(crate) fn saved(&self) -> Saved {
        let (now, sealed) = self.look(|table, asked| (bytes(&table.game), sealed(asked.sealed())));
        let asks = self.asks().iter().map(|ask| (ask.id, ask.seats)).collect();
        Saved { seats: self.seats, journal: self.journal.clone(), now, sealed, asks, over: self.outcome() }
    }

    /// Restores a saved script by running it again. `None` if these rules arrive at another state.
    pub(crate) fn restored(saved: &Saved) -> Option<Self> {
        let running = Self::replayed(&saved.journal, saved.seats)?;
        let again = running.saved();
        let same = (&again.now, &again.sealed, &again.asks, &again.over)
            == (&saved.now, &saved.sealed, &saved.asks, &saved.over);
        same.then_some(running)
    }

    /// Restores a script that older rules saved between two segments, from the state that these rules convert it to.
    pub(crate) fn migrated(saved: &Saved, start: &S) -> Option<Self> {
        let journal = SegmentJournal { start: bytes(start), ..saved.journal.clone() };
        if journal.at_seam() && saved.over.is_none() { Self::replayed(&journal, saved.seats) } else { None }
    }

    fn replayed(journal: &SegmentJournal, seats: u8) -> Option<Self> {
        catch_unwind(AssertUnwindSafe(|| Self::again(journal, seats))).ok()
    }

    pub(crate) fn footprint(&self) -> Footprint {
        let live = self.live.borrow();
        let future = match &live.run_state {
            RunState::Open(segment_future) => size_of_val(&**segment_future),
            RunState::Over(..) => size_of::<Table<S>>(),
            RunState::Broken => 0,
        };
        drop(live);
        Footprint {
            future,
            executor: size_of::<Self>() + size_of::<crate::bridge::Bridge<S>>() + 2 * size_of::<usize>(),
            journal: self.journal.footprint(),
            state: self.saved().now.len(),
        }
    }
}

impl<S: Script> Drop for Running<S> {
    /// A match that is killed or rewound ends this run: the script gets an interrupt at its `?`, and its further
    /// output is discarded.
    fn drop(&mut self) {
        let live = self.live.get_mut();
        if matches!(live.run_state, RunState::Open(_)) {
            live.bridge.lock().mail = Some(Mail::Interrupt(Interrupt::Stopped));
            let _ = catch_unwind(AssertUnwindSafe(|| live.poll()));
        }
    }
}
