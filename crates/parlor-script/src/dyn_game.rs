//! Implements [`DynGame`] for a script.

use parlor_core::{
    AskId, Asks, BotChoice, DynGame, Facts, HouseCode, Json, Outcome, OutputBuffer, Refusal, Rng, Seat,
    Seats, Selector, Viewer, Visit,
};

use crate::journal::What;
use crate::question::CheckedAnswer;
use crate::running::Running;
use crate::script::Script;

impl<S: Script> Running<S> {
    fn read(&self, seat: Seat, answer: &Json) -> Result<CheckedAnswer, Refusal> {
        let answer = answer.clone();
        self.look(move |table, asked| asked.read(&table.game, seat, &answer))
    }

    /// Answers without recording any output.
    pub(crate) fn answer_silently(
        &mut self,
        seat: Seat,
        answer: &Json,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<(), Refusal> {
        let answer = self.read(seat, answer)?;
        self.happen(What::Answer { seat, answer }, false, rng, output);
        Ok(())
    }

    /// The answer of the bot or of a random player, with random numbers of the caller.
    fn spoken(
        &self,
        rng: &mut Rng,
        choose: impl FnOnce(&S, &dyn crate::open::Asked<S>, &mut Rng) -> CheckedAnswer + Send + 'static,
        seat: Seat,
    ) -> Json {
        let mut lent = rng.clone();
        let (answer, lent) = self.look(move |table, asked| {
            let answer = choose(&table.game, asked, &mut lent);
            (asked.to_answer(&table.game, seat, &answer), lent)
        });
        *rng = lent;
        answer
    }
}

impl<S: Script> DynGame for Running<S> {
    fn open_asks(&self) -> Asks {
        self.asks()
    }

    fn request(&self, seat: Seat, _: AskId) -> Selector {
        self.look(move |table, asked| asked.describe(&table.game, seat))
    }

    fn check(&self, seat: Seat, _: AskId, answer: &Json) -> Result<(), Refusal> {
        self.read(seat, answer).map(|_| ())
    }

    fn answer(
        &mut self,
        seat: Seat,
        _: AskId,
        answer: &Json,
        rng: &mut Rng,
        output: &mut OutputBuffer,
    ) -> Result<(), Refusal> {
        let answer = self.read(seat, answer)?;
        self.happen(What::Answer { seat, answer }, true, rng, output);
        Ok(())
    }

    fn elapsed(&mut self, ask: AskId, seat: Option<Seat>, rng: &mut Rng, output: &mut OutputBuffer) {
        self.happen(What::Elapsed { ask, seat }, true, rng, output);
    }

    fn visit(&mut self, visit: Visit, rng: &mut Rng, output: &mut OutputBuffer) -> Result<(), Refusal> {
        match visit {
            Visit::Leave { seat, .. } if seat.index() < usize::from(self.seats()) => {
                self.happen(What::Left(seat), true, rng, output);
                Ok(())
            }
            Visit::Leave { .. } => Err(Refusal::of(HouseCode::UnknownSeat, "there is no such seat")),
            Visit::Join { .. } | Visit::Away { .. } | Visit::Back { .. } => {
                Err(Refusal::of(HouseCode::NoVisits, "nobody can join in the middle of this match"))
            }
        }
    }

    fn sample(&self, seat: Seat, _: AskId, rng: &mut Rng) -> Json {
        self.spoken(rng, move |game, asked, rng| asked.sample(game, seat, rng), seat)
    }

    fn bot(&self, seat: Seat, _: AskId, _: &BotChoice, rng: &mut Rng) -> Json {
        self.spoken(rng, move |game, asked, rng| asked.bot(game, seat, rng), seat)
    }

    fn legal(&self, seat: Seat, _: AskId) -> Vec<Json> {
        self.look(move |table, asked| {
            let legal = asked.legal(&table.game, seat);
            legal.iter().map(|answer| asked.to_answer(&table.game, seat, answer)).collect()
        })
    }

    fn view(&self, viewer: Viewer) -> Json {
        self.look(move |table, _| {
            serde_json::to_value(table.game.view(viewer)).expect("a view is plain data")
        })
    }

    fn outcome(&self) -> Option<Outcome> {
        Self::outcome(self)
    }

    fn carry(&self) -> Option<Json> {
        None
    }

    fn state(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.saved()).expect("a state is plain data")
    }

    fn fork(&self) -> Box<dyn DynGame> {
        Box::new(self.copy())
    }

    fn resample(&self, viewers: Seats, rng: &mut Rng) -> Option<Box<dyn DynGame>> {
        Some(Box::new(self.other_world(viewers, rng)?))
    }

    fn known_facts(&self, viewer: Viewer) -> Facts {
        self.look(move |table, _| {
            let mut facts = Facts::default();
            table.game.known_facts(viewer, &mut facts);
            facts
        })
    }

    fn escrow(&self) -> i64 {
        self.look(|table, _| table.game.escrow())
    }

    fn refund(&self, seat: Seat) -> i64 {
        self.look(move |table, _| table.game.refund(seat))
    }

    fn round_trip(&self, seat: Seat, _: AskId) -> Result<usize, String> {
        self.look(move |table, asked| {
            let legal = asked.legal(&table.game, seat);
            for answer in &legal {
                match asked.read(&table.game, seat, &asked.to_answer(&table.game, seat, answer)) {
                    Ok(back) if back == *answer => {}
                    Ok(back) => return Err(format!("{answer:?} is said so that it means {back:?}")),
                    Err(refusal) => return Err(format!("{answer:?} is legal and refused: {refusal}")),
                }
            }
            Ok(legal.len())
        })
    }
}
