//! Creates a room. Every mistake in its settings is found here, before players wait in it.

use std::net::IpAddr;

use parlor_core::{Account, GameDef, Json, Refusal};
use parlor_store::{PlayerId, TableId};

use super::{Hub, lock};
use crate::house::room::state::{Room, RoomState};
use crate::house::sessions::{fresh_token, hash};

/// The request for a new table.
#[derive(Clone, Debug, Default)]
pub(crate) struct CreateTable {
    pub(crate) id: Option<String>,
    pub(crate) game: String,
    pub(crate) settings: Json,
    pub(crate) seats: Option<u8>,
    pub(crate) bots: Option<u8>,
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
    /// Creates a room that waits for its players.
    pub(crate) fn create_table(&self, order: CreateTable) -> Result<CreatedTable, Refusal> {
        let Some(def) = self.def(&order.game) else {
            let names: Vec<&str> = self.games.iter().map(|def| def.name).collect();
            let text = format!("there is no game {}; there are: {}", order.game, names.join(", "));
            return Err(Refusal::of("unknown_game", text));
        };
        let (seats, bots) = seating(&def, order.seats, order.bots)?;
        let id = order.id.unwrap_or_else(|| fresh_token()[..12].to_owned());
        if !parlor_wire::client::is_token(&id) {
            return Err(Refusal::of("invalid_id", "a table's id has 1 to 50 characters of A-Z a-z 0-9 _ -"));
        }
        self.check_capacity()?;
        let stakes = dry_run_start(def, seats, &order.settings)?;
        if stakes.iter().any(|stake| *stake > 0) && (bots > 0 || order.seed.is_some()) {
            let text = "where tokens are staked no bot plays, and nobody chooses the seed";
            return Err(Refusal::of("staked", text));
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
            ..RoomState::default()
        };
        let known = self.running(&id).is_some()
            || TableId::new(&id).is_ok_and(|name| matches!(self.store.table(&name), Ok(Some(_))));
        let rooms = lock(&self.rooms);
        if known || rooms.contains_key(&id) {
            return Err(Refusal::of("exists", "Game already exists"));
        }
        drop(rooms);
        if let Some(player) = &maker {
            self.reserve_table(format!("player {player}"), &id, self.config.tables_per_player_max)?;
        }
        if let Some(address) = order.address {
            self.reserve_table(format!("address {address}"), &id, self.config.tables_per_address_max)?;
        }
        let mut rooms = lock(&self.rooms);
        if rooms.contains_key(&id) {
            return Err(Refusal::of("exists", "Game already exists"));
        }
        let room = Room::new(def, plan);
        self.keep_room(&id, &room);
        rooms.insert(id.clone(), room);
        Ok(CreatedTable { id, owner_token, seats, bots, invite, stake })
    }
}

/// The numbers of seats and of bots: by default the fewest seats the game allows, and one human player.
fn seating(def: &GameDef, seats: Option<u8>, bots: Option<u8>) -> Result<(u8, u8), Refusal> {
    let (fewest, most) = def.seats;
    let seats = seats.unwrap_or(fewest);
    let bots = bots.unwrap_or(seats.saturating_sub(1));
    if !(fewest..=most).contains(&seats) || bots >= seats {
        let text = format!("{} is played by {fewest} to {most}, of whom at least one is no bot", def.name);
        return Err(Refusal::of("seats", text));
    }
    Ok((seats, bots))
}

/// Starts the game once with these settings, so that a table that cannot start is refused when it is created. Returns
/// the stake of each seat.
pub(crate) fn dry_run_start(def: GameDef, seats: u8, settings: &Json) -> Result<Vec<i64>, Refusal> {
    let seed = parlor_core::Seed::from_text("try out");
    let header = parlor_core::Header::seeded(&def, seats, settings.clone(), seed);
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
        assert_eq!(seating(&def, None, None), Ok((fewest, fewest - 1)));
        assert_eq!(seating(&def, Some(most), Some(0)), Ok((most, 0)));
        assert_eq!(seating(&def, Some(most), None), Ok((most, most - 1)));
        for (seats, bots) in [(fewest - 1, 0), (most + 1, 0), (fewest, fewest), (0, 0)] {
            let refused = seating(&def, Some(seats), Some(bots));
            assert!(refused.is_err_and(|why| why.has("seats")), "{seats} seats, {bots} bots");
        }
    }
}
