//! How a script asks, and how it waits.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use parlor_core::limits::ASKS_MAX;
use parlor_core::sim::SIM_INPUTS_MAX;
use parlor_core::{Ask, AskId, Asks, Json, Luck, Refusal, Seat, Seats, Selector};

use crate::desk::Mail;
use crate::open::{Asked, Given, Mode, Open, bot};
use crate::script::{Interrupt, Script};
use crate::table::{Player, Table};
use crate::wish::{Said, Wish};

impl<S: Script> Table<S> {
    /// Asks one seat (000-2). The request is described by `wish`, from the state as it is whenever somebody looks.
    ///
    /// # Errors
    /// The interrupt that came in place of an answer.
    pub async fn single<W, F>(&mut self, seat: Seat, wish: F) -> Result<W::Answer, Interrupt>
    where
        W: Wish,
        F: Fn(&S) -> W + Send,
    {
        {
            let first = wish(&self.game);
            if let Some(said) = self.at_once(seat, &first)? {
                return Ok(first.take(said));
            }
        }
        let mut open = Open::new(Mode::All, [seat], move |game: &S, _: Seat| wish(game));
        self.pose(&mut open).await?;
        let said = open.take(seat).expect("the seat has answered").answer;
        Ok((open.wish)(&self.game, seat).take(said))
    }

    /// Asks several seats at once and waits for all (000-3). The answers come in the order of `seats`, whenever they
    /// were given, and nobody sees one of them before all are in (000/R2).
    ///
    /// # Errors
    /// The interrupt that came in place of an answer.
    pub async fn many<W, F>(
        &mut self,
        seats: impl IntoIterator<Item = Seat>,
        wish: F,
    ) -> Result<Vec<Given<W::Answer>>, Interrupt>
    where
        W: Wish,
        F: Fn(&S, Seat) -> W + Send,
    {
        let mut open = Open::new(Mode::All, seats, wish);
        for n in 0..open.seats.len() {
            let seat = open.seats[n];
            let first = (open.wish)(&self.game, seat);
            if let Some(answer) = self.at_once(seat, &first)? {
                open.given.push(Given { seat, answer, auto: self.player == Player::House });
            }
        }
        if open.given.len() < open.seats.len() {
            self.pose(&mut open).await?;
        }
        let seats = open.seats.clone();
        let typed = |seat: Seat| {
            let Given { answer, auto, .. } = open.take(seat).expect("every seat has answered");
            Given { seat, answer: (open.wish)(&self.game, seat).take(answer), auto }
        };
        Ok(seats.into_iter().map(typed).collect())
    }

    /// Asks several seats at once and goes on with the first answer (000-4). Nothing is answered by itself. A seat that
    /// is asked the same again afterwards keeps its request: what it has sent meanwhile stays good (000/R2).
    ///
    /// # Errors
    /// The interrupt that came in place of an answer.
    pub async fn any<W, F>(
        &mut self,
        seats: impl IntoIterator<Item = Seat>,
        wish: F,
    ) -> Result<Given<W::Answer>, Interrupt>
    where
        W: Wish,
        F: Fn(&S, Seat) -> W + Send,
    {
        let mut open = Open::new(Mode::First, seats, wish);
        if self.player == Player::House {
            self.pose(&mut open).await?;
        } else {
            let seat = *self.luck.pick(&open.seats);
            let first = (open.wish)(&self.game, seat);
            let answer = self.simulate(seat, &first)?;
            open.given.push(Given { seat, answer, auto: false });
        }
        let Given { seat, answer, auto } = open.given.swap_remove(0);
        Ok(Given { seat, answer: (open.wish)(&self.game, seat).take(answer), auto })
    }

    /// Asks nobody and goes on after so many milliseconds.
    ///
    /// # Errors
    /// The interrupt that came in place of the time.
    pub async fn pause(&mut self, ms: u32) -> Result<(), Interrupt> {
        if self.player != Player::House {
            return Ok(());
        }
        let mut pause = Pause { id: self.next_ask, ms, over: false };
        self.next_ask += 1;
        self.unanswered.clear();
        self.stand(&mut pause).await
    }

    /// The answer that needs no asking, or, in a simulation, any.
    #[inline]
    fn at_once(&mut self, seat: Seat, wish: &impl Wish) -> Result<Option<Said>, Interrupt> {
        if self.player != Player::House {
            return self.simulate(seat, wish).map(Some);
        }
        self.burn();
        match self.interrupt {
            Some(interrupt) => Err(interrupt),
            // A window stands for its time, whoever has a choice in it: that is what it is for.
            None => Ok(wish.forced().filter(|_| wish.terms().at_least_ms == 0)),
        }
    }

    #[inline]
    fn simulate(&mut self, seat: Seat, wish: &impl Wish) -> Result<Said, Interrupt> {
        self.inputs += 1;
        if self.inputs >= SIM_INPUTS_MAX {
            return Err(Interrupt::Stopped);
        }
        Ok(match wish.forced() {
            Some(said) => said,
            None if self.player == Player::Bots => bot(&self.game, seat, wish, &mut self.luck),
            None => wish.sample(&mut self.luck),
        })
    }

    async fn pose<W, F>(&mut self, open: &mut Open<F, W>) -> Result<(), Interrupt>
    where
        W: Wish,
        F: Fn(&S, Seat) -> W + Send,
    {
        self.burn();
        if let Some(interrupt) = self.interrupt {
            return Err(interrupt);
        }
        self.number(open);
        self.stand(open).await?;
        if open.mode == Mode::First {
            // Looked at before the answer has changed anything: what still stands, stands in these words.
            for seat in open.waiting().iter() {
                let print = fingerprint(&open.describe(&self.game, seat));
                self.unanswered.push((seat, open.id_of(seat), print));
            }
        }
        Ok(())
    }

    /// Gives ids: a seat that was asked the same by an `any` just now keeps the one it has (000/R2).
    fn number<W, F>(&mut self, open: &mut Open<F, W>)
    where
        W: Wish,
        F: Fn(&S, Seat) -> W + Send,
    {
        open.id = self.next_ask;
        self.next_ask += 1;
        let before = std::mem::take(&mut self.unanswered);
        let mut form = true;
        for seat in open.waiting().iter() {
            let wish = (open.wish)(&self.game, seat);
            let selector = wish.describe();
            if let Err(refusal) = selector.well_formed() {
                panic!("\"{}\": {refusal}", selector.title);
            }
            if std::mem::take(&mut form) {
                let terms = wish.terms();
                open.form = Ask {
                    no_undo: terms.no_undo,
                    ..Ask::request(0, Seats::NONE).clock(terms.clock).at_least(terms.at_least_ms)
                };
            }
            let kept = before
                .iter()
                .find(|(owner, _, print)| *owner == seat && *print == fingerprint(&selector))
                .map(|(_, id, _)| *id);
            match kept {
                Some(id) if open.own.len() < ASKS_MAX - 1 || open.mode == Mode::First => {
                    open.own.push((seat, id))
                }
                None if open.mode == Mode::First => {
                    open.own.push((seat, self.next_ask));
                    self.next_ask += 1;
                }
                _ => {}
            }
        }
    }

    /// Waits until the request is closed, and does what it is told meanwhile.
    async fn stand(&mut self, open: &mut (dyn Asked<S> + Send)) -> Result<(), Interrupt> {
        while !open.closed() {
            self.put(open.asks());
            match (Suspend { table: self, waiting: false }).await {
                Mail::Answer { seat, said } => open.answer(&self.game, seat, said),
                Mail::Elapsed { ask, seat } => open.elapse(&self.game, ask, seat),
                Mail::Interrupt(interrupt) => {
                    self.interrupt = Some(interrupt);
                    return Err(interrupt);
                }
                Mail::Job(job) => {
                    let reply = job(self, open);
                    if let Some(desk) = &self.desk {
                        desk.lock().reply = Some(reply);
                    }
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, asks: Asks) {
        self.return_loan();
        if let Some(desk) = &self.desk {
            let mut desk = desk.lock();
            desk.asks = asks;
            desk.asked = true;
        }
    }
}

/// The one thing a script can wait for: its mail.
struct Suspend<'t, S: Script> {
    table: &'t mut Table<S>,
    waiting: bool,
}

impl<S: Script> Future for Suspend<'_, S> {
    type Output = Mail<S>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Mail<S>> {
        let waiting = std::mem::replace(&mut self.waiting, true);
        let mail = self.table.desk.as_ref().filter(|_| waiting).and_then(|desk| desk.lock().mail.take());
        match mail {
            None => Poll::Pending,
            Some(mail) => {
                if !matches!(mail, Mail::Job(_)) {
                    self.table.borrow_loan();
                }
                Poll::Ready(mail)
            }
        }
    }
}

/// A wait: nobody is asked.
pub(crate) struct Pause {
    id: u32,
    ms: u32,
    over: bool,
}

impl Pause {
    /// Nobody is asked any more.
    pub(crate) fn over() -> Self {
        Self { id: 0, ms: 0, over: true }
    }
}

impl<S> Asked<S> for Pause {
    fn describe(&self, _: &S, _: Seat) -> Selector {
        Selector::default()
    }

    fn read(&self, _: &S, seat: Seat, _: &Json) -> Result<Said, Refusal> {
        Err(parlor_core::Fault::new("not_asked", "seat {seat} is not asked anything now")
            .arg("seat", seat.index())
            .into())
    }

    fn say(&self, _: &S, _: Seat, _: &Said) -> Json {
        Json::Null
    }

    fn sample(&self, _: &S, seat: Seat, _: &mut Luck) -> Said {
        panic!("{seat:?} is not asked anything now")
    }

    fn legal(&self, _: &S, _: Seat) -> Vec<Said> {
        Vec::new()
    }

    fn bot(&self, _: &S, seat: Seat, _: &mut Luck) -> Said {
        panic!("{seat:?} is not asked anything now")
    }

    fn sealed(&self) -> &[Given<Said>] {
        &[]
    }

    fn seal(&mut self, _: Vec<Given<Said>>) {}

    fn resealed(&self, _: &S, _: Seats, _: &mut Luck) -> Vec<Given<Said>> {
        Vec::new()
    }

    fn asks(&self) -> Asks {
        parlor_core::ask::one(Ask::wait(self.id, self.ms))
    }

    fn answer(&mut self, _: &S, seat: Seat, _: Said) {
        panic!("{seat:?} is not asked: the rules are not those that wrote this log")
    }

    fn elapse(&mut self, _: &S, ask: AskId, _: Option<Seat>) {
        self.over |= ask.0 == self.id;
    }

    fn closed(&self) -> bool {
        self.over
    }
}

/// FNV-1a over the description as a client gets it: two that differ in a word differ here.
fn fingerprint(selector: &Selector) -> u64 {
    let text = serde_json::to_string(selector).expect("a selector is plain data");
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
