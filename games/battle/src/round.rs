//! A round: PREP, then three steps of the reveal, then the next round or the end.

use parlor_core::{Output, Seats};

use crate::end::{Reason, SEATS, Verdict, other};
use crate::event::Event;
use crate::layout::SLOTS;
use crate::resolve::resolve;
use crate::rules::Battle;

/// A player who sends nothing for this many rounds in a row loses the match.
pub const AFK_ROUNDS: u8 = 2;

impl Battle {
    /// Starts the round `self.round`.
    pub(crate) fn prepare(&self, out: &mut impl Output<Event>) {
        let start = |hand| Event::PrepStart {
            round: self.round,
            sudden_death: self.sudden_death(),
            prep_ms: self.settings.prep_ms,
            hp: self.hp(),
            pot: self.holds_tokens(),
            hand,
        };
        for seat in SEATS {
            out.emit(Seats::only(seat), start(Some(self.settings.hands[seat.index()])));
        }
        out.emit(Seats::GALLERY, start(None));
    }

    /// Ends PREP. This is the only place that decides layouts and absences, once per round.
    ///
    /// A confirmed layout, a draft and an empty draft are all played as they are in `laid`; a player who has laid
    /// nothing has three empty slots there. No layout is checked again, and a layout does not show who was away.
    pub(crate) fn finalize_round(&mut self, out: &mut impl Output<Event>) {
        for side in &mut self.sides {
            side.afk = if side.present { 0 } else { side.afk + 1 };
        }
        let afk = self.sides.map(|side| side.afk);
        // Both were away together for the smaller of the two counts.
        if afk[0].min(afk[1]) >= AFK_ROUNDS {
            return self.end_match(Reason::Timeout, Verdict::BothLost, out);
        }
        if let Some(loser) = SEATS.into_iter().find(|seat| afk[seat.index()] >= AFK_ROUNDS) {
            return self.end_match(Reason::Timeout, Verdict::Won(other(loser)), out);
        }
        self.step = 1;
        out.emit(Seats::ALL, Event::RevealStart { round: self.round });
    }

    /// Reveals the next slot of both players; the last one ends the round.
    pub(crate) fn reveal(&mut self, out: &mut impl Output<Event>) {
        let slot = usize::from(self.step - 1);
        let cards = self.sides.map(|side| side.laid.0[slot]);
        if !self.fallen() {
            let hp = resolve(cards, self.hp());
            (self.sides[0].hp, self.sides[1].hp) = (hp[0], hp[1]);
        }
        self.step += 1;
        // Secret cards are now known: nothing before this may be undone.
        out.mark_revealed();
        out.emit(Seats::ALL, Event::StepReveal { round: self.round, step: slot as u8, cards, hp: self.hp() });
        if slot + 1 == SLOTS || (self.settings.stop_at_zero && self.fallen()) {
            self.end_round(out);
        }
    }

    fn end_round(&mut self, out: &mut impl Output<Event>) {
        let hp = self.hp();
        out.emit(Seats::ALL, Event::RoundEnd { round: self.round, sudden_death: self.sudden_death(), hp });
        let decided = self.round >= self.settings.round_limit.into() && hp[0] != hp[1];
        if decided || self.fallen() {
            let verdict = match hp[0].cmp(&hp[1]) {
                std::cmp::Ordering::Greater => Verdict::Won(SEATS[0]),
                std::cmp::Ordering::Less => Verdict::Won(SEATS[1]),
                std::cmp::Ordering::Equal => Verdict::Draw,
            };
            return self.end_match(Reason::Normal, verdict, out);
        }
        for side in &mut self.sides {
            side.next_round();
        }
        (self.round, self.step) = (self.round + 1, 0);
        self.prepare(out);
    }

    /// Whether a player has no HP left. That is final, even if slots are still to be revealed.
    fn fallen(&self) -> bool {
        self.sides.iter().any(|side| side.hp == 0)
    }
}
