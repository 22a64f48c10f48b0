//! Turns a table's postings into transfers between its players' accounts, and its matches into lines of their
//! histories.
//!
//! Both are made when the record is made, from who sits where then: a player who sits down later neither pays nor is
//! paid for what happened before.

use parlor_core::{Account, Body, GameDef, MatchResult, Money, Outcome, Posting, Seat};
use parlor_host::RecordWrite;
use parlor_store::{Currency, HoldId, Owner, Played, PlayerId, Points, Reason, TableId, Transfer};

use crate::house::sessions::TableFacts;

/// Buy-ins up to which the house fills up a player's play money.
pub(crate) const PLAY_BUY_INS: i64 = 100;

/// Tokens of the players' accounts.
pub(crate) fn tokens() -> Currency {
    currency(Money::Tokens)
}

/// The currency in which a table's money is kept.
pub(crate) fn currency(money: Money) -> Currency {
    let name = match money {
        Money::Tokens => "tokens",
        Money::Play => "play",
    };
    Currency::new(name).expect("a good name")
}

/// Tokens that are set aside for one input.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) hold: HoldId,
    /// Who gets back what is not used.
    pub(crate) player: PlayerId,
    pub(crate) amount: i64,
}

/// The ledger transfers of one record's postings. A table that is not played for money makes none.
pub(crate) fn transfers(
    facts: &TableFacts,
    table: &TableId,
    write: &RecordWrite,
    held: Option<&Held>,
) -> Vec<Transfer> {
    if !facts.staked {
        return Vec::new();
    }
    let currency = currency(facts.money);
    // A seat without an account is a bot's or a guest's: they play with money that comes from nowhere, or with the
    // house's tokens.
    let nobody = match facts.money {
        Money::Tokens => Owner::House,
        Money::Play => Owner::Mint,
    };
    let paid_by = write.funds.map(|(seat, _)| seat).zip(held);
    let owner = |account, pays: bool| match (account, &paid_by) {
        (Account::Seat(seat), Some((payer, held))) if pays && *payer == seat => {
            Owner::Hold(held.hold.clone())
        }
        (Account::Seat(seat), _) => facts.player_at(seat).map_or(nobody.clone(), Owner::Player),
        (Account::Table, _) => Owner::Table(table.clone()),
        (Account::House, _) => Owner::House,
        (Account::Burn, _) => Owner::Burn,
    };
    let mut transfers: Vec<Transfer> = Vec::new();
    for posting in &write.postings {
        let (from, to) = (owner(posting.from, true), owner(posting.to, false));
        if from != to {
            let (currency, amount) = (currency.clone(), posting.amount);
            transfers.push(Transfer { from, to, currency, amount, reason: reason(write, posting) });
        }
    }
    if let Some((_, held)) = paid_by {
        let of_hold = |transfer: &&Transfer| transfer.from == Owner::Hold(held.hold.clone());
        let used: i64 = transfers.iter().filter(of_hold).map(|transfer| transfer.amount).sum();
        if used < held.amount {
            let (from, to) = (Owner::Hold(held.hold.clone()), Owner::Player(held.player.clone()));
            let (amount, reason) = (held.amount - used, Reason::Release);
            transfers.push(Transfer { from, to, currency, amount, reason });
        }
    }
    transfers
}

/// What a posting is for, from the record that it came with.
fn reason(write: &RecordWrite, posting: &Posting) -> Reason {
    use parlor_core::Visit;
    let body = write.record.as_ref().map(|record| &record.body);
    match (posting.from, posting.to, body) {
        (_, Account::House, _) => Reason::Rake,
        (_, Account::Burn, _) => Reason::Burn,
        (Account::Seat(_), _, None) => Reason::Stake,
        (Account::Seat(_), _, Some(Body::Visit { visit: Visit::Join { .. } })) => Reason::BuyIn,
        (Account::Seat(_), _, Some(Body::Answer { .. })) => Reason::TopUp,
        (_, Account::Seat(_), Some(Body::Visit { visit: Visit::Leave { .. } })) => Reason::CashOut,
        (_, Account::Seat(_), Some(Body::Kill { .. })) => Reason::Refund,
        (_, Account::Seat(_), _) => Reason::Payout,
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
