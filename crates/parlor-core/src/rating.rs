//! What a match does to a player's rating: constants that a game declares and the server applies.

use crate::outcome::Outcome;
use crate::seat::Seat;

/// How a match went for one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchResult {
    Won,
    Lost,
    /// Nobody won, and the seat did not lose.
    Drawn,
    /// The match was stopped and does not count.
    Stopped,
}

impl MatchResult {
    const WORDS: [(Self, &'static str); 4] =
        [(Self::Won, "won"), (Self::Lost, "lost"), (Self::Drawn, "drawn"), (Self::Stopped, "stopped")];

    /// The name for programs.
    #[must_use]
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(went, _)| *went == self).map_or("", |(_, word)| word)
    }

    /// Parses the name that [`MatchResult::word`] returns.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, known)| *known == word).map(|(went, _)| *went)
    }

    /// How a match with this outcome went for a seat.
    #[must_use]
    pub fn of(outcome: &Outcome, seat: Seat) -> Self {
        let Some(place) = outcome.places.get(seat.index()) else { return Self::Stopped };
        let all = outcome.winners.len() == outcome.places.len();
        match (outcome.winners.has(seat), *place) {
            (true, _) if !all => Self::Won,
            // All seats won, or none did and this seat shares the first place.
            (true, _) => Self::Drawn,
            (false, 1) if outcome.winners.is_empty() => Self::Drawn,
            (false, _) => Self::Lost,
        }
    }
}

/// The rating points of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    pub won: i32,
    /// Below zero.
    pub lost: i32,
    pub drawn: i32,
    /// The starting points; no player falls below this.
    pub floor: i32,
    /// The leagues, each with the points from which it begins; the lowest first.
    pub leagues: &'static [(&'static str, i32)],
}

impl Rating {
    /// Two players, of whom one wins or nobody does: a win is worth more than a loss costs, so that playing pays.
    pub const DUEL: Self = Self {
        won: 5,
        lost: -2,
        drawn: 0,
        floor: 0,
        leagues: &[
            ("wood", 0),
            ("iron", 100),
            ("bronze", 200),
            ("silver", 350),
            ("gold", 550),
            ("mythic", 800),
        ],
    };

    /// The points that a match adds; none if it was stopped.
    #[must_use]
    pub fn points(&self, went: MatchResult) -> Option<i32> {
        match went {
            MatchResult::Won => Some(self.won),
            MatchResult::Lost => Some(self.lost),
            MatchResult::Drawn => Some(self.drawn),
            MatchResult::Stopped => None,
        }
    }

    /// The league for this many points; empty if there are no leagues.
    #[must_use]
    pub fn league(&self, points: i64) -> &'static str {
        let reached = self.leagues.iter().rev().find(|(_, from)| points >= i64::from(*from));
        reached.or(self.leagues.first()).map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::Seats;

    #[test]
    fn an_outcome_says_how_it_went_for_each_seat() {
        let (first, second) = (Seat::new(0), Seat::new(1));
        let both = |outcome: &Outcome| [MatchResult::of(outcome, first), MatchResult::of(outcome, second)];
        assert_eq!(both(&Outcome::win(Seats::only(first), 2, "x")), [MatchResult::Won, MatchResult::Lost]);
        assert_eq!(both(&Outcome::draw(2, "x")), [MatchResult::Drawn, MatchResult::Drawn]);
        assert_eq!(
            both(&Outcome::ranked(&[3, 3], "x")),
            [MatchResult::Drawn, MatchResult::Drawn],
            "all won: nobody did"
        );
        let lost = Outcome { places: [2, 2].into_iter().collect(), ..Outcome::draw(2, "x") };
        assert_eq!(both(&lost), [MatchResult::Lost, MatchResult::Lost]);
        assert_eq!(both(&Outcome::stopped("x")), [MatchResult::Stopped, MatchResult::Stopped]);
    }

    #[test]
    fn a_league_begins_at_its_points() {
        let leagues = &[("wood", 0), ("iron", 100)];
        let rating = Rating { won: 5, lost: -2, drawn: 0, floor: 0, leagues };
        for (points, league) in [(-1, "wood"), (0, "wood"), (99, "wood"), (100, "iron"), (9999, "iron")] {
            assert_eq!(rating.league(points), league, "{points}");
        }
    }
}
