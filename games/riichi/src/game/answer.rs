//! Answers: named as the document names them, or picked from the list of a request.

use parlor_core::{AskId, Refusal, Response, Seat as Chair};
use serde::{Deserialize, Serialize};

use super::automatic::AUTOMATIC;
use super::{Riichi, automatic, seat_of};
use crate::table::{self, Action, Answer, Automatic, KanName, TileName};
use crate::tile::Tile;

/// What a player answers, before anybody has looked at it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TableAnswer {
    /// An action by its name: `{"discard": 42}`, `{"chi": ["3m", "4m"]}`, `"pass"`.
    Named(Answer),
    /// What is done by itself from now on: `{"automatic": {"win": true}}`.
    Automatic {
        /// All of it; what is not named is off.
        automatic: Automatic,
    },
    /// One of the choices of the request.
    Picked(Response),
}

impl TableAnswer {
    /// The answer that means this action.
    #[must_use]
    pub fn of(action: Action) -> Self {
        let name = |tile: Tile| TileName::Id(i64::from(tile.id()));
        Self::Named(match action {
            Action::Discard(tile) => Answer::Discard(name(tile)),
            Action::Riichi(tile) => Answer::Riichi(name(tile)),
            Action::Tsumo => Answer::Tsumo,
            Action::Ankan(kind) => Answer::Kan(Some(KanName::Closed), kind.tiles().next().map(name)),
            Action::Kakan(tile) => Answer::Kan(Some(KanName::Added), Some(name(tile))),
            Action::Nine => Answer::Nine,
            Action::Ron => Answer::Ron,
            Action::Pon(own) => Answer::Pon(Some(own.map(name))),
            Action::Chi(own) => Answer::Chi(Some(own.map(name))),
            Action::Daiminkan => Answer::Kan(Some(KanName::Open), None),
            Action::Pass => Answer::Pass,
            Action::Confirm => Answer::Confirm,
            Action::Automatic(automatic) => return Self::Automatic { automatic },
        })
    }
}

impl Riichi {
    pub(super) fn checked(&self, chair: Chair, ask: AskId, answer: &TableAnswer) -> Result<Action, Refusal> {
        let Some(seat) = seat_of(chair) else {
            return Err(Refusal::of("not_your_turn", "there is no such seat"));
        };
        if ask == AUTOMATIC {
            return automatic::checked(answer).map(Action::Automatic);
        }
        match answer {
            TableAnswer::Automatic { .. } => {
                Err(Refusal::of("invalid_action", "this is no answer to what is asked"))
            }
            TableAnswer::Picked(response) => self.menu(seat).check(response),
            TableAnswer::Named(answer) => {
                self.table.check(seat, answer).map_err(|refusal| refused(chair, &refusal))
            }
        }
    }
}

/// A refusal of the rules in the house's form. The rules say what no honest client can send (003/R11); whoever sends it is
/// expelled.
fn refused(chair: Chair, refusal: &table::Refusal) -> Refusal {
    let (code, text) = (refusal.code.name(), refusal.message.clone());
    if refusal.forged { Refusal::forged(chair, code, text) } else { Refusal::of(code, text) }
}
