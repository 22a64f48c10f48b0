//! A table's postings as the accounts of its players, and its matches as lines of their histories.

use parlor_core::{Account, GameDef, MatchResult, Outcome, Posting, Seat};
use parlor_store::{Currency, Owner, Played, Points, TableId, Transfer};

use crate::house::sessions::TableFacts;

/// The one currency of the house: play money.
pub(crate) fn tokens() -> Currency {
    Currency::new("tokens").expect("a good name")
}

/// What a game's postings mean on the books. A table that is not staked is played for counters that are nobody's.
pub(crate) fn transfers(facts: &TableFacts, table: &TableId, postings: &[Posting]) -> Vec<Transfer> {
    if !facts.staked {
        return Vec::new();
    }
    let currency = tokens();
    let owner = |account| match account {
        Account::Seat(seat) => facts.player_at(seat).map_or(Owner::House, Owner::Player),
        Account::Table => Owner::Table(table.clone()),
        Account::House => Owner::House,
        Account::Burn => Owner::Burn,
    };
    postings.iter().map(|posting| Transfer::of(posting, &currency, owner)).collect()
}

/// What a match that ends leaves in its players' histories.
pub(crate) fn played(facts: &TableFacts, def: &GameDef, match_no: u32, outcome: &Outcome) -> Vec<Played> {
    let rating = def.rating.filter(|_| facts.rated);
    let line = |n: usize| {
        let seat = Seat::new(n as u8);
        let went = MatchResult::of(outcome, seat);
        let points = rating
            .and_then(|rating| Some(Points { by: rating.points(went)?.into(), floor: rating.floor.into() }));
        Some(Played {
            player: facts.player_at(seat)?,
            match_no,
            game: def.name.to_owned(),
            seat: n as u8,
            went,
            reason: outcome.reason.chars().take(100).collect(),
            points,
        })
    };
    (0..facts.players.len()).filter_map(line).collect()
}
