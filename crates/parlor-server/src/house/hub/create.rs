//! Creates a room. Every mistake in its settings is found here, before players wait in it.

use std::net::IpAddr;

use parlor_core::{Account, GameDef, HouseCode, Json, Money, Refusal};
use parlor_store::{PlayerId, TableId};

use super::{Hub, lock};
use crate::house::room::registry::Kept;
use crate::house::room::state::{ChosenBot, Room, RoomState, TableWishes};
use crate::house::sessions::{fresh_token, hash};

/// The request for a new table.
#[derive(Clone, Debug, Default)]
pub(crate) struct CreateTable {
    pub(crate) id: Option<String>,
    pub(crate) game: String,
    pub(crate) settings: Json,
    pub(crate) seats: Option<u8>,
    pub(crate) bots: Option<u8>,
    /// Bots that the creator chose by name, level and seat; `bots` counts the others.
    pub(crate) chosen_bots: Vec<ChosenBot>,
    pub(crate) table: TableWishes,
    pub(crate) seed: Option<String>,
    /// The creator's account.
    pub(crate) player: Option<PlayerId>,
    /// The creator's address.
    pub(crate) address: Option<IpAddr>,
    /// Whether players need an invitation.
    pub(crate) private: bool,
    pub(crate) ready_check: bool,
    pub(crate) spectator_delay_ms: u64,
}

/// A new table and its creator's token.
pub(crate) struct CreatedTable {
    pub(crate) id: String,
    pub(crate) owner_token: String,
    pub(crate) seats: u8,
    pub(crate) bots: u8,
    pub(crate) invite: Option<String>,
    pub(crate) stake: i64,
}

impl Hub {
    /// Creates a room that waits for its players, and returns when it is stored.
    pub(crate) async fn create_table(&self, order: CreateTable) -> Result<CreatedTable, Refusal> {
        let (created, kept) = self.create_room(order)?;
        if let Err(refusal) = kept.known().await {
            self.drop_room(&created.id);
            return Err(refusal);
        }
        Ok(created)
    }

    fn create_room(&self, order: CreateTable) -> Result<(CreatedTable, Kept), Refusal> {
        let Some(def) = self.def(&order.game) else {
            let names: Vec<&str> = self.games.all().iter().map(|def| def.name).collect();
            let text = format!("there is no game {}; there are: {}", order.game, names.join(", "));
            return Err(Refusal::of(HouseCode::UnknownGame, text));
        };
        let (seats, bots) = seating(&def, &order)?;
        self.check_bots(&def, seats, &order)?;
        let id = order.id.unwrap_or_else(|| fresh_token()[..12].to_owned());
        if !parlor_wire::client::is_token(&id) {
            return Err(Refusal::of(
                HouseCode::InvalidId,
                "a table's id has 1 to 50 characters of A-Z a-z 0-9 _ -",
            ));
        }
        self.check_capacity()?;
        let start = || dry_run_start(def, seats, &order.settings);
        // Rules that strangers wrote may use up their fuel as they start.
        let published = self.games.is_published(&def);
        let stakes = if published { tokio::task::block_in_place(start)? } else { start()? };
        let open = def.open_seating(&order.settings);
        let tokens = open.is_none_or(|open| open.money == Money::Tokens);
        if tokens && stakes.iter().any(|stake| *stake > 0) && (bots > 0 || order.seed.is_some()) {
            let text = "where tokens are staked no bot plays, and nobody chooses the seed";
            return Err(Refusal::of(HouseCode::Staked, text));
        }
        let (owner_token, invite) = (fresh_token(), order.private.then(|| fresh_token()[..12].to_owned()));
        let stake = stakes.iter().copied().max().unwrap_or(0);
        let maker = order.player.map(|id| id.to_string());
        let plan = RoomState {
            game: def.name.to_owned(),
            settings: order.settings,
            seats,
            bots,
            seed: order.seed,
            owner: hash(&owner_token),
            owner_player: maker.clone(),
            invite: invite.clone(),
            ready_check: order.ready_check,
            spectator_delay_ms: order.spectator_delay_ms,
            stakes,
            chosen_bots: order.chosen_bots,
            table: order.table,
            ..RoomState::default()
        };
        let known = self.running(&id).is_some()
            || TableId::new(&id).is_ok_and(|name| matches!(self.store.table(&name), Ok(Some(_))));
        let rooms = lock(&self.rooms);
        if known || rooms.contains_key(&id) {
            return Err(Refusal::of(HouseCode::Exists, "Game already exists"));
        }
        drop(rooms);
        self.reserve_table(maker.as_deref(), order.address, &id)?;
        let mut rooms = lock(&self.rooms);
        if rooms.contains_key(&id) {
            return Err(Refusal::of(HouseCode::Exists, "Game already exists"));
        }
        let room = Room::new(def, plan);
        let kept = self.keep_room(&id, &room);
        rooms.insert(id.clone(), room);
        Ok((CreatedTable { id, owner_token, seats, bots, invite, stake }, kept))
    }
}

impl Hub {
    /// Whether the bots that the creator chose exist and have seats of their own.
    fn check_bots(&self, def: &GameDef, seats: u8, order: &CreateTable) -> Result<(), Refusal> {
        let names = || def.bots.iter().map(|bot| bot.name).collect::<Vec<_>>().join(", ");
        for (n, bot) in order.chosen_bots.iter().enumerate() {
            let program = bot.program.as_ref();
            let unknown = match program {
                Some(program) => !self.config.bot_programs.iter().any(|known| known.name == *program),
                None => def.bot(&bot.choice).is_none(),
            };
            if unknown {
                let text = format!(
                    "bots[{n}]: {} has the bots {}, up to the level that each has",
                    def.name,
                    names()
                );
                return Err(Refusal::of(HouseCode::UnknownBot, text));
            }
            let twice =
                order.chosen_bots[..n].iter().any(|other| other.seat.is_some() && other.seat == bot.seat);
            if bot.seat.is_some_and(|seat| seat >= seats) || twice {
                let text = format!("bots[{n}]: a bot has a seat of its own from 0 to {}", seats - 1);
                return Err(Refusal::of(HouseCode::Seats, text));
            }
        }
        let stand_in = order.table.stand_in.as_ref();
        if stand_in.is_some_and(|choice| def.bot(choice).is_none()) {
            return Err(Refusal::of(
                HouseCode::UnknownBot,
                format!("standInBot: {} has the bots {}", def.name, names()),
            ));
        }
        Ok(())
    }
}

/// The numbers of seats and of bots: by default the fewest seats the game allows, and one human player. A table at which
/// players come and go has no bots unless somebody wants them.
fn seating(def: &GameDef, order: &CreateTable) -> Result<(u8, u8), Refusal> {
    let (fewest, most) = def.seats;
    let seats = order.seats.unwrap_or(fewest);
    let chosen = u8::try_from(order.chosen_bots.len()).unwrap_or(u8::MAX);
    let open = def.open_seating(&order.settings).is_some();
    let others = if open || chosen > 0 { 0 } else { seats.saturating_sub(1) };
    let bots = chosen.saturating_add(order.bots.unwrap_or(others));
    if !(fewest..=most).contains(&seats) || bots >= seats {
        let text = format!("{} is played by {fewest} to {most}, of whom at least one is no bot", def.name);
        return Err(Refusal::of(HouseCode::Seats, text));
    }
    Ok((seats, bots))
}

/// Starts the game once with these settings, so that a table that cannot start is refused when it is created. Returns
/// the stake of each seat.
pub(crate) fn dry_run_start(def: GameDef, seats: u8, settings: &Json) -> Result<Vec<i64>, Refusal> {
    let seed = parlor_core::Seed::from_text("try out");
    let mut header = parlor_core::Header::seeded(&def, seats, settings.clone(), seed);
    if let Some(open) = def.open_seating(settings) {
        let brings = |n: u8| (n < open.start_with).then_some(open.buy_in_max);
        header.seated = (0..seats).map(brings).collect();
    }
    let (_, applied) = parlor_core::Match::start(def, header)?;
    let mut stakes = vec![0; seats.into()];
    for posting in applied.postings {
        for (account, amount) in [(posting.from, posting.amount), (posting.to, -posting.amount)] {
            if let Account::Seat(seat) = account
                && let Some(stake) = stakes.get_mut(seat.index())
            {
                *stake += amount;
            }
        }
    }
    Ok(stakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_least_one_who_plays_is_no_bot() {
        let def = <parlor_draft::Draft as parlor_script::Script>::def();
        let (fewest, most) = def.seats;
        let seating = |def: &GameDef, seats, bots| {
            super::seating(def, &CreateTable { seats, bots, ..CreateTable::default() })
        };
        assert_eq!(seating(&def, None, None), Ok((fewest, fewest - 1)));
        assert_eq!(seating(&def, Some(most), Some(0)), Ok((most, 0)));
        assert_eq!(seating(&def, Some(most), None), Ok((most, most - 1)));
        for (seats, bots) in [(fewest - 1, 0), (most + 1, 0), (fewest, fewest), (0, 0)] {
            let refused = seating(&def, Some(seats), Some(bots));
            assert!(refused.is_err_and(|why| why.has(HouseCode::Seats)), "{seats} seats, {bots} bots");
        }
    }
}
