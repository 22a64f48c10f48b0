//! Money at a table: what inputs cost is set aside in the store before they are applied.
//!
//! Apart from the task because of one rule: whatever was set aside is used by one stored record, or goes back.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parlor_core::{HouseCode, Money, Refusal, Seat};
use parlor_host::{Command, ConnId};
use parlor_store::{HoldId, Owner, PlayerId, Reason, Transfer, Write, WriteError};

use super::mail::Reserved;
use super::store_queue::RecordId;
use super::{Mail, TableTask};
use crate::house::hub::Hub;
use crate::house::sessions::fresh_token;
use crate::house::stakes::{Held, PLAY_BUY_INS, currency};

/// How long to wait before giving back is tried again.
const RELEASE_AGAIN: Duration = Duration::from_secs(2);
/// How often giving back is tried. After that the next start of the server does it.
const RELEASE_TRIES: u32 = 30;

/// What is set aside for this table.
#[derive(Default)]
pub(super) struct TableMoney {
    holds: BTreeMap<u64, (Held, Option<RecordId>)>,
}

impl TableMoney {
    /// Whether nothing is set aside.
    pub(super) fn is_idle(&self) -> bool {
        self.holds.is_empty()
    }

    /// What is set aside under this number.
    pub(super) fn held(&self, id: u64) -> Option<&Held> {
        self.holds.get(&id).map(|(held, _)| held)
    }

    /// It pays for this record.
    pub(super) fn spent(&mut self, id: u64, by: RecordId) {
        if let Some((_, spent)) = self.holds.get_mut(&id) {
            *spent = Some(by);
        }
    }

    /// All records up to this one are stored, and with them what they cost.
    pub(super) fn stored(&mut self, last: RecordId) {
        self.holds.retain(|_, (_, spent)| spent.is_none_or(|spent| spent > last));
    }

    fn take(&mut self, id: u64) -> Option<Held> {
        self.holds.remove(&id).map(|(held, _)| held)
    }
}

impl TableTask {
    /// Sets aside what an input costs; the table hears when the store has.
    pub(super) fn reserve(&mut self, id: u64, conn: ConnId, seat: Seat, amount: i64) {
        let newcomer = self.sitting.get(conn).filter(|sitting| sitting.seat == seat);
        let player = match newcomer {
            Some(sitting) => sitting.player.clone(),
            None => self.facts.player_at(seat),
        };
        let Some(player) = player else {
            // A guest without an account plays with play money alone, and that has no account to be taken from.
            let command = match self.facts.money {
                Money::Play => Command::Reserved { id },
                Money::Tokens => Command::NotReserved { id, why: players_only() },
            };
            return self.handle(command);
        };
        let name = format!("{}-{}", self.id, &fresh_token()[..20]);
        let Ok(hold) = HoldId::new(&name) else {
            return self.handle(Command::NotReserved { id, why: Refusal::of(HouseCode::Busy, "try again") });
        };
        // The reply belongs to this task: a later one of the same table counts its reservations anew.
        let (hub, mailbox, money) = (self.hub.clone(), self.rx.sender(), self.facts.money);
        let refill_to = self.open_seating().map_or(0, |open| open.buy_in_max.saturating_mul(PLAY_BUY_INS));
        tokio::spawn(async move {
            let held = Held { hold, player, amount };
            let (store, wanted) = (hub.clone(), held.clone());
            let work = move || store.set_aside(&wanted, money, refill_to);
            let result = hub.reserving_threads.run(work).await.unwrap_or(Err(WriteError::Closed));
            let done = result.is_ok();
            let mail = Mail::Reserved(Box::new(Reserved { id, held: held.clone(), result }));
            let told = mailbox.send(mail).await.is_ok();
            if done && !told {
                hub.release(held, money);
            }
        });
    }

    /// The store has set something aside, or not.
    pub(super) fn reserved(&mut self, id: u64, held: Held, result: Result<(), WriteError>) {
        match result {
            Ok(()) => {
                self.money.holds.insert(id, (held, None));
                self.handle(Command::Reserved { id });
            }
            Err(WriteError::Unfunded { .. }) => {
                self.handle(Command::NotReserved { id, why: not_enough(self.facts.money) });
            }
            Err(error) => {
                let why = Refusal::of(HouseCode::NotStored, format!("the store did not take it: {error}"));
                self.handle(Command::NotReserved { id, why });
            }
        }
    }

    /// Gives back what was set aside.
    pub(super) fn release(&mut self, id: u64) {
        if let Some(held) = self.money.take(id) {
            self.hub.release(held, self.facts.money);
        }
    }
}

/// Only players with an account can play for tokens.
pub(super) fn players_only() -> Refusal {
    Refusal::of(HouseCode::PlayersOnly, "This game is played for tokens: it takes an account")
}

fn not_enough(money: Money) -> Refusal {
    let text = match money {
        Money::Tokens => "you do not have enough tokens",
        Money::Play => "you do not have enough play money",
    };
    Refusal::of(HouseCode::NotEnoughTokens, text)
}

impl Hub {
    /// Sets an amount aside; blocks on the store. Play money is filled up first if there is too little.
    fn set_aside(&self, held: &Held, money: Money, refill_to: i64) -> Result<(), WriteError> {
        let (currency, at_ms) = (currency(money), self.wall_ms());
        let player = Owner::Player(held.player.clone());
        let mut transfers = Vec::new();
        if money == Money::Play {
            transfers.extend(self.refill_transfer(&held.player, held.amount, refill_to)?);
        }
        let (to, amount) = (Owner::Hold(held.hold.clone()), held.amount);
        transfers.push(Transfer { from: player, to, currency, amount, reason: Reason::Hold });
        self.store.write(Write::Post { key: format!("hold/{}", held.hold), transfers, at_ms }).map(|_| ())
    }

    /// Fills up the play money of a player who is about to buy in; blocks on the store.
    pub(crate) fn refill(&self, player: &PlayerId, needs: i64, refill_to: i64) -> Result<(), WriteError> {
        let transfers: Vec<Transfer> = self.refill_transfer(player, needs, refill_to)?.into_iter().collect();
        if transfers.is_empty() {
            return Ok(());
        }
        let key = format!("refill/{}", fresh_token());
        self.store.write(Write::Post { key, transfers, at_ms: self.wall_ms() }).map(|_| ())
    }

    /// What fills up a player's play money; none if they have what they need.
    fn refill_transfer(
        &self,
        player: &PlayerId,
        needs: i64,
        refill_to: i64,
    ) -> Result<Option<Transfer>, WriteError> {
        let (currency, to) = (currency(Money::Play), Owner::Player(player.clone()));
        let has = self.store.balance(&to, &currency).map_err(|error| WriteError::Io(error.to_string()))?;
        let amount = refill_to - has;
        let refill = Transfer { from: Owner::Mint, to, currency, amount, reason: Reason::Refill };
        Ok((has < needs && amount > 0).then_some(refill))
    }

    /// Gives back what is left of a hold. A store that fails is tried again.
    pub(crate) fn release(self: &Arc<Self>, held: Held, money: Money) {
        let hub = self.clone();
        tokio::spawn(async move {
            for _ in 0..RELEASE_TRIES {
                let to = Owner::Player(held.player.clone());
                let (hold, currency, at_ms) = (held.hold.clone(), currency(money), hub.wall_ms());
                let (tx, told) = tokio::sync::oneshot::channel();
                let write = Write::Release { hold, currency, to, at_ms };
                hub.store.submit(
                    write,
                    Box::new(move |result| {
                        let _ = tx.send(result);
                    }),
                );
                match told.await {
                    Ok(Err(error)) if error.passes() => tokio::time::sleep(RELEASE_AGAIN).await,
                    Ok(Err(error)) => {
                        return tracing::error!(hold = %held.hold, %error, "a hold was not released");
                    }
                    _ => return,
                }
            }
        });
    }

    /// Gives back everything that was set aside for inputs that never came to be: the process that set it aside is gone.
    pub(crate) fn release_orphans(&self) -> Result<(), String> {
        let mut after = None;
        loop {
            let page = self.store.holds(after.as_ref(), parlor_store::ROWS_PER_PAGE_MAX);
            let page = page.map_err(|error| error.to_string())?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.hold.clone());
            for open in page {
                let (hold, currency, to) = (open.hold, open.currency, open.payer);
                let write = Write::Release { hold, currency, to, at_ms: self.wall_ms() };
                self.store.write(write).map_err(|error| error.to_string())?;
            }
        }
    }
}
