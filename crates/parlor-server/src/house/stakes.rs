//! Turns a table's postings into transfers between its players' accounts, and its matches into lines of their
//! histories.

use parlor_core::{Account, GameDef, MatchResult, Outcome, Posting, Seat};
use parlor_store::{Currency, Owner, Played, Points, Reason, TableId, Transfer};

use crate::house::sessions::TableFacts;

/// The only currency: play money.
pub(crate) fn tokens() -> Currency {
    Currency::new("tokens").expect("a good name")
}

/// The ledger transfers of a game's postings. A table that is not staked makes none.
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
    postings.iter().map(|posting| Transfer::of(posting, &currency, reason(posting), owner)).collect()
}

/// Why a game's tokens move, by where they go.
fn reason(posting: &Posting) -> Reason {
    match (posting.from, posting.to) {
        (_, Account::Burn) => Reason::Burn,
        (_, Account::House) => Reason::Rake,
        (Account::Seat(_), Account::Table) => Reason::Stake,
        (Account::Table, Account::Seat(_)) => Reason::Payout,
        _ => Reason::Other,
    }
}

/// The lines that a finished match adds to its players' histories.
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
