//! How a script asks seats, and how it waits for answers.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use parlor_core::limits::ASKS_MAX;
use parlor_core::sim::SIM_INPUTS_MAX;
use parlor_core::{Ask, AskId, Asks, Fault, HouseCode, Json, Refusal, Rng, Seat, Seats, Selector};

use crate::bridge::Mail;
use crate::open::{Asked, Mode, Open, SeatAnswer, bot};
use crate::question::{CheckedAnswer, Question};
use crate::script::{Interrupt, Script};
use crate::table::{Player, Table};

impl<S: Script> Table<S> {
    /// Asks one seat (000-2). `question` describes the request from the current state, whenever a client needs the
    /// description.
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn single<W, F>(&mut self, seat: Seat, question: F) -> Result<W::Answer, Interrupt>
    where
        W: Question,
        F: Fn(&S) -> W + Send,
    {
        {
            let first = question(&self.game);
            if let Some(answer) = self.at_once(seat, &first)? {
                return Ok(first.take(answer));
            }
        }
        let mut open = Open::new(Mode::All, [seat], move |game: &S, _: Seat| question(game));
        self.asking(&mut open).await?;
        let answer = open.take(seat).expect("the seat has answered").answer;
        Ok((open.question)(&self.game, seat).take(answer))
    }

    /// Asks several seats at once and waits for all (000-3). The answers are in the order of `seats`, whatever the
    /// order of arrival, and no viewer sees any of them before all have arrived (000/R2).
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn many<W, F>(
        &mut self,
        seats: impl IntoIterator<Item = Seat>,
        question: F,
    ) -> Result<Vec<SeatAnswer<W::Answer>>, Interrupt>
    where
        W: Question,
        F: Fn(&S, Seat) -> W + Send,
    {
        let mut open = Open::new(Mode::All, seats, question);
        for n in 0..open.seats.len() {
            let seat = open.seats[n];
            let first = (open.question)(&self.game, seat);
            if let Some(answer) = self.at_once(seat, &first)? {
                open.given.push(SeatAnswer { seat, answer, auto: self.player == Player::House });
            }
        }
        if open.given.len() < open.seats.len() {
            self.asking(&mut open).await?;
        }
        let seats = open.seats.clone();
        let typed = |seat: Seat| {
            let SeatAnswer { answer, auto, .. } = open.take(seat).expect("every seat has answered");
            SeatAnswer { seat, answer: (open.question)(&self.game, seat).take(answer), auto }
        };
        Ok(seats.into_iter().map(typed).collect())
    }

    /// Asks several seats at once and continues with the first answer (000-4). There are no automatic answers. A seat
    /// that is asked the same again afterwards keeps its request: an answer in transit stays valid (000/R2).
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn any<W, F>(
        &mut self,
        seats: impl IntoIterator<Item = Seat>,
        question: F,
    ) -> Result<SeatAnswer<W::Answer>, Interrupt>
    where
        W: Question,
        F: Fn(&S, Seat) -> W + Send,
    {
        let mut open = Open::new(Mode::First, seats, question);
        if self.player == Player::House {
            self.asking(&mut open).await?;
        } else {
            let seat = *self.rng.pick(&open.seats);
            let first = (open.question)(&self.game, seat);
            let answer = self.simulate(seat, &first)?;
            open.given.push(SeatAnswer { seat, answer, auto: false });
        }
        let SeatAnswer { seat, answer, auto } = open.given.swap_remove(0);
        Ok(SeatAnswer { seat, answer: (open.question)(&self.game, seat).take(answer), auto })
    }

    /// Asks no seat and continues after this many milliseconds.
    ///
    /// # Errors
    /// The interrupt that came before the time was over.
    pub async fn pause(&mut self, ms: u32) -> Result<(), Interrupt> {
        if self.player != Player::House {
            return Ok(());
        }
        let mut pause = Pause { id: self.next_ask, ms, over: false };
        self.next_ask += 1;
        self.unanswered.clear();
        self.stand(&mut pause).await
    }

    /// The automatic answer, if there is one; in a simulation, always an answer.
    #[inline]
    fn at_once(&mut self, seat: Seat, question: &impl Question) -> Result<Option<CheckedAnswer>, Interrupt> {
        if self.player != Player::House {
            return self.simulate(seat, question).map(Some);
        }
        self.burn();
        match self.interrupt {
            Some(interrupt) => Err(interrupt),
            // A window stays open for its time, whether any seat has a choice or not: that is its purpose.
            None => Ok(question.forced().filter(|_| question.terms().at_least_ms == 0)),
        }
    }

    #[inline]
    fn simulate(&mut self, seat: Seat, question: &impl Question) -> Result<CheckedAnswer, Interrupt> {
        self.inputs += 1;
        if self.inputs >= SIM_INPUTS_MAX {
            return Err(Interrupt::Stopped);
        }
        Ok(match question.forced() {
            Some(answer) => answer,
            None if self.player == Player::Bots => bot(&self.game, seat, question, &mut self.rng),
            None => question.sample(&mut self.rng),
        })
    }

    async fn asking<W, F>(&mut self, open: &mut Open<F, W>) -> Result<(), Interrupt>
    where
        W: Question,
        F: Fn(&S, Seat) -> W + Send,
    {
        self.burn();
        if let Some(interrupt) = self.interrupt {
            return Err(interrupt);
        }
        self.number(open);
        self.stand(open).await?;
        if open.mode == Mode::First {
            // Before the answer changes anything: requests that stay open keep this description.
            for seat in open.waiting().iter() {
                let print = fingerprint(&open.describe(&self.game, seat));
                self.unanswered.push((seat, open.id_of(seat), print));
            }
        }
        Ok(())
    }

    /// Assigns ids: a seat that an `any` just asked the same keeps its id (000/R2).
    fn number<W, F>(&mut self, open: &mut Open<F, W>)
    where
        W: Question,
        F: Fn(&S, Seat) -> W + Send,
    {
        open.id = self.next_ask;
        self.next_ask += 1;
        let before = std::mem::take(&mut self.unanswered);
        let mut form = true;
        for seat in open.waiting().iter() {
            let question = (open.question)(&self.game, seat);
            let selector = question.describe();
            if let Err(refusal) = selector.well_formed() {
                panic!("\"{}\": {refusal}", selector.title);
            }
            if std::mem::take(&mut form) {
                let terms = question.terms();
                open.form = Ask {
                    final_answer: terms.final_answer,
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

    /// Waits until the request is closed, and handles the mail that arrives meanwhile.
    async fn stand(&mut self, open: &mut (dyn Asked<S> + Send)) -> Result<(), Interrupt> {
        while !open.closed() {
            self.put(open.asks());
            match (Suspend { table: self, waiting: false }).await {
                Mail::Answer { seat, answer } => open.answer(&self.game, seat, answer),
                Mail::Elapsed { ask, seat } => open.elapse(&self.game, ask, seat),
                Mail::Interrupt(interrupt) => {
                    self.interrupt = Some(interrupt);
                    return Err(interrupt);
                }
                Mail::Job(job) => {
                    let reply = job(self, open);
                    if let Some(bridge) = &self.bridge {
                        bridge.lock().reply = Some(reply);
                    }
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, asks: Asks) {
        self.return_loan();
        if let Some(bridge) = &self.bridge {
            let mut bridge = bridge.lock();
            bridge.asks = asks;
            bridge.asked = true;
        }
    }
}

/// The one thing that a script can wait for: its mail.
struct Suspend<'t, S: Script> {
    table: &'t mut Table<S>,
    waiting: bool,
}

impl<S: Script> Future for Suspend<'_, S> {
    type Output = Mail<S>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Mail<S>> {
        let waiting = std::mem::replace(&mut self.waiting, true);
        let mail =
            self.table.bridge.as_ref().filter(|_| waiting).and_then(|bridge| bridge.lock().mail.take());
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

/// A wait: no seat is asked.
pub(crate) struct Pause {
    id: u32,
    ms: u32,
    over: bool,
}

impl Pause {
    /// A wait that is over.
    pub(crate) fn over() -> Self {
        Self { id: 0, ms: 0, over: true }
    }
}

impl<S> Asked<S> for Pause {
    fn describe(&self, _: &S, _: Seat) -> Selector {
        Selector::default()
    }

    fn read(&self, _: &S, seat: Seat, _: &Json) -> Result<CheckedAnswer, Refusal> {
        let fault = Fault::new(HouseCode::NotAsked, "seat {seat} is not asked anything now");
        Err(fault.arg("seat", seat.index()).into())
    }

    fn to_answer(&self, _: &S, _: Seat, _: &CheckedAnswer) -> Json {
        Json::Null
    }

    fn sample(&self, _: &S, seat: Seat, _: &mut Rng) -> CheckedAnswer {
        panic!("{seat:?} is not asked anything now")
    }

    fn legal(&self, _: &S, _: Seat) -> Vec<CheckedAnswer> {
        Vec::new()
    }

    fn bot(&self, _: &S, seat: Seat, _: &mut Rng) -> CheckedAnswer {
        panic!("{seat:?} is not asked anything now")
    }

    fn sealed(&self) -> &[SeatAnswer<CheckedAnswer>] {
        &[]
    }

    fn seal(&mut self, _: Vec<SeatAnswer<CheckedAnswer>>) {}

    fn resealed(&self, _: &S, _: Seats, _: &mut Rng) -> Vec<SeatAnswer<CheckedAnswer>> {
        Vec::new()
    }

    fn asks(&self) -> Asks {
        parlor_core::ask::one(Ask::wait(self.id, self.ms))
    }

    fn answer(&mut self, _: &S, seat: Seat, _: CheckedAnswer) {
        panic!("{seat:?} is not asked: the rules are not those that wrote this log")
    }

    fn elapse(&mut self, _: &S, ask: AskId, _: Option<Seat>) {
        self.over |= ask.0 == self.id;
    }

    fn closed(&self) -> bool {
        self.over
    }
}

/// FNV-1a over the description as a client gets it: descriptions that differ have different fingerprints.
fn fingerprint(selector: &Selector) -> u64 {
    let text = serde_json::to_string(selector).expect("a selector is plain data");
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
