//! A script behind the house's one pointer.

use parlor_core::{
    AskId, Asks, Hosted, Json, Luck, Outcome, Refusal, Seat, Seats, Selector, Told, Viewer, Visit,
};

use crate::running::Running;
use crate::script::Script;
use crate::tape::What;
use crate::wish::Said;

impl<S: Script> Running<S> {
    fn read(&self, seat: Seat, answer: &Json) -> Result<Said, Refusal> {
        let answer = answer.clone();
        self.look(move |table, asked| asked.read(&table.game, seat, &answer))
    }

    /// Answers while nobody listens.
    pub(crate) fn answer_silently(
        &mut self,
        seat: Seat,
        answer: &Json,
        luck: &mut Luck,
        told: &mut Told,
    ) -> Result<(), Refusal> {
        let said = self.read(seat, answer)?;
        self.happen(What::Answer { seat, said }, false, luck, told);
        Ok(())
    }

    /// What the bot or a random player says, with luck that is lent for the look.
    fn spoken(
        &self,
        luck: &mut Luck,
        choose: impl FnOnce(&S, &dyn crate::open::Asked<S>, &mut Luck) -> Said + Send + 'static,
        seat: Seat,
    ) -> Json {
        let mut lent = luck.clone();
        let (said, lent) = self.look(move |table, asked| {
            let said = choose(&table.game, asked, &mut lent);
            (asked.say(&table.game, seat, &said), lent)
        });
        *luck = lent;
        said
    }
}

impl<S: Script> Hosted for Running<S> {
    fn standing(&self) -> Asks {
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
        luck: &mut Luck,
        told: &mut Told,
    ) -> Result<(), Refusal> {
        let said = self.read(seat, answer)?;
        self.happen(What::Answer { seat, said }, true, luck, told);
        Ok(())
    }

    fn elapsed(&mut self, ask: AskId, seat: Option<Seat>, luck: &mut Luck, told: &mut Told) {
        self.happen(What::Elapsed { ask, seat }, true, luck, told);
    }

    fn visit(&mut self, visit: Visit, luck: &mut Luck, told: &mut Told) -> Result<(), Refusal> {
        match visit {
            Visit::Leave { seat } if seat.index() < usize::from(self.seats()) => {
                self.happen(What::Left(seat), true, luck, told);
                Ok(())
            }
            Visit::Leave { .. } => Err(Refusal::of("unknown_seat", "there is no such seat")),
            Visit::Join { .. } | Visit::Away { .. } | Visit::Back { .. } => {
                Err(Refusal::of("no_visits", "nobody can join in the middle of this match"))
            }
        }
    }

    fn sample(&self, seat: Seat, _: AskId, luck: &mut Luck) -> Json {
        self.spoken(luck, move |game, asked, luck| asked.sample(game, seat, luck), seat)
    }

    fn bot(&self, seat: Seat, _: AskId, luck: &mut Luck) -> Json {
        self.spoken(luck, move |game, asked, luck| asked.bot(game, seat, luck), seat)
    }

    fn legal(&self, seat: Seat, _: AskId) -> Vec<Json> {
        self.look(move |table, asked| {
            let legal = asked.legal(&table.game, seat);
            legal.iter().map(|said| asked.say(&table.game, seat, said)).collect()
        })
    }

    fn seen(&self, viewer: Viewer) -> Json {
        self.look(move |table, _| {
            serde_json::to_value(table.game.seen(viewer)).expect("a view is plain data")
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

    fn fork(&self) -> Box<dyn Hosted> {
        Box::new(self.copy())
    }

    fn resample(&self, viewers: Seats, luck: &mut Luck) -> Option<Box<dyn Hosted>> {
        Some(Box::new(self.other_world(viewers, luck)?))
    }

    fn known(&self, viewer: Viewer) -> Vec<(u32, u32)> {
        self.look(move |table, _| {
            let mut facts = Vec::new();
            table.game.known(viewer, &mut facts);
            facts
        })
    }

    fn holds(&self) -> i64 {
        self.look(|table, _| table.game.holds())
    }

    fn returns(&self, seat: Seat) -> i64 {
        self.look(move |table, _| table.game.returns(seat))
    }

    fn round_trip(&self, seat: Seat, _: AskId) -> Result<usize, String> {
        self.look(move |table, asked| {
            let legal = asked.legal(&table.game, seat);
            for said in &legal {
                match asked.read(&table.game, seat, &asked.say(&table.game, seat, said)) {
                    Ok(back) if back == *said => {}
                    Ok(back) => return Err(format!("{said:?} is said so that it means {back:?}")),
                    Err(refusal) => return Err(format!("{said:?} is legal and refused: {refusal}")),
                }
            }
            Ok(legal.len())
        })
    }
}
