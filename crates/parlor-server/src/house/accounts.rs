//! Player accounts: opening, nicknames, tokens, rights, deletion, and which matches each player sits at.

use std::collections::BTreeMap;
use std::sync::Arc;

use parlor_core::{HouseCode, Route};
use parlor_store::{Owner, Player, PlayerId, RatingRow, Reason, Transfer, Write, WriteError};
use parlor_wire::lobby::{Profile, Rated, Sitting};
use serde::{Deserialize, Serialize};

use crate::house::hub::{Hub, lock};
use crate::house::names;
use crate::house::sessions::{fresh_token, random};
use crate::house::stakes::tokens;
use crate::table::Mail;

/// The length of a nickname, in characters.
pub(crate) const NICKNAME_CHARS: std::ops::RangeInclusive<usize> = 3..=16;
/// The languages a player can choose; the first is the default.
pub(crate) const LANGUAGES: [&str; 3] = ["en", "ja", "ru"];
/// The avatars a player can choose; the first is the default.
pub(crate) const AVATARS: [&str; 6] = ["orc", "knight", "mage", "rogue", "ranger", "paladin"];
/// Each right and its bit in the stored rights.
pub(crate) const RIGHTS: [(&str, u32); 2] = [("publish", RIGHT_TO_PUBLISH), ("kill", RIGHT_TO_KILL)];
/// The right to publish rulesets.
pub(crate) const RIGHT_TO_PUBLISH: u32 = 1;
/// The right to end any table.
pub(crate) const RIGHT_TO_KILL: u32 = 2;
/// How many names are tried for a guest before opening the account fails.
const GUEST_NAMES_TRIED: u32 = 8;

/// What a player has set for themselves, as it is stored with their account.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Preferences {
    mutes: Mutes,
}

/// Whom a player does not want to hear at tables.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct Mutes {
    /// Whether they hear nobody at all.
    pub(crate) off: bool,
    /// By the names under which people speak, the latest last.
    pub(crate) names: Vec<String>,
}

/// Whom a player does not want to hear: nobody in particular, where nothing was kept.
pub(crate) fn mutes_of(player: &Player) -> Mutes {
    serde_json::from_str::<Preferences>(&player.preferences).unwrap_or_default().mutes
}

/// Why an operation on an account failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    Unauthorized,
    InvalidNickname,
    NicknameTaken,
    NotEnoughTokens,
    InvalidLanguage,
    InvalidAvatar,
    Seated,
    NoSuchPlayer,
    TooManyGuests,
    Busy,
}

impl Trouble {
    /// The code and the text that a client gets.
    pub(crate) fn words(self) -> (HouseCode, &'static str) {
        match self {
            Self::Unauthorized => (HouseCode::Unauthorized, "Unauthorized"),
            Self::InvalidNickname => (
                HouseCode::InvalidNickname,
                "a nickname has 3 to 16 letters of any language, digits, spaces, _ and -",
            ),
            Self::NicknameTaken => (HouseCode::NicknameTaken, "somebody else has that nickname"),
            Self::NotEnoughTokens => (HouseCode::NotEnoughTokens, "you do not have enough tokens"),
            Self::InvalidLanguage => (HouseCode::InvalidLanguage, "languages are en, ja and ru"),
            Self::InvalidAvatar => {
                (HouseCode::InvalidAvatar, "avatars are orc, knight, mage, rogue, ranger and paladin")
            }
            Self::Seated => (HouseCode::Seated, "a match of yours is not over; finish it first"),
            Self::NoSuchPlayer => (HouseCode::PlayerNotFound, "there is no such player"),
            Self::TooManyGuests => {
                (HouseCode::RateLimited, "too many new accounts from your address; try again later")
            }
            Self::Busy => (HouseCode::Busy, "the server cannot store anything now; try again"),
        }
    }
}

impl From<WriteError> for Trouble {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Unfunded { .. } => Self::NotEnoughTokens,
            WriteError::NameTaken => Self::NicknameTaken,
            _ => Self::Busy,
        }
    }
}

impl From<parlor_store::ReadError> for Trouble {
    fn from(_: parlor_store::ReadError) -> Self {
        Self::Busy
    }
}

/// Normalizes a nickname: spaces are collapsed. `None` if it is not valid.
pub(crate) fn nickname(text: &str) -> Option<String> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let well = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '-');
    let fits = NICKNAME_CHARS.contains(&name.chars().count()) && name.chars().all(well);
    (fits && !names::is_reserved(&name)).then_some(name)
}

/// The hash of a player's token.
fn token_hash(token: &str) -> [u8; 32] {
    blake3::derive_key("parlor 2026 player token", token.as_bytes())
}

fn one_of(list: &[&str], wanted: Option<&str>, trouble: Trouble) -> Result<Option<String>, Trouble> {
    match wanted {
        None => Ok(None),
        Some(wanted) if list.contains(&wanted) => Ok(Some(wanted.to_owned())),
        Some(_) => Err(trouble),
    }
}

/// These functions block on the store: call them where blocking is allowed (see [`Hub::blocking`]).
impl Hub {
    /// Runs a function that blocks on the store outside of the threads that serve connections.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Trouble> + Send + 'static,
    ) -> Result<T, Trouble> {
        let hub = self.clone();
        self.store_threads.run(move || work(&hub)).await.unwrap_or(Err(Trouble::Busy))
    }

    /// Opens a guest account. Its token is returned only here; the store keeps a hash.
    pub(crate) fn new_guest(
        &self,
        nickname_wanted: Option<&str>,
        language: Option<&str>,
    ) -> Result<(Player, String), Trouble> {
        let language = one_of(&LANGUAGES, language, Trouble::InvalidLanguage)?;
        let wanted = match nickname_wanted {
            Some(text) => Some(nickname(text).ok_or(Trouble::InvalidNickname)?),
            None => None,
        };
        let token = fresh_token();
        for _ in 0..GUEST_NAMES_TRIED {
            let id = PlayerId::new(&format!("p{}", &fresh_token()[..16])).expect("a good name");
            let name = wanted.clone().unwrap_or_else(|| format!("Guest-{}", &fresh_token()[..8]));
            let mut player = Player::new(id.clone(), &name, token_hash(&token), self.wall_ms());
            player.language = language.clone().unwrap_or_else(|| LANGUAGES[0].to_owned());
            player.avatar = AVATARS[0].to_owned();
            let gift = self.config.welcome_tokens;
            let transfers = self.move_tokens(Owner::Mint, Owner::Player(id.clone()), gift, Reason::Welcome);
            let key = format!("welcome/{id}");
            let write = Write::PlayerPays { player: player.clone(), key, transfers, at_ms: self.wall_ms() };
            match self.store.write(write) {
                Ok(_) => return Ok((player, token)),
                Err(WriteError::NameTaken) if wanted.is_none() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Trouble::Busy)
    }

    /// The player with this token.
    pub(crate) fn player_of(&self, token: &str) -> Result<Player, Trouble> {
        let found = self.store.player_by_token(&token_hash(token))?;
        found.filter(|player| player.deleted_ms.is_none()).ok_or(Trouble::Unauthorized)
    }

    pub(crate) fn tokens_of(&self, player: &PlayerId) -> Result<i64, Trouble> {
        Ok(self.store.balance(&Owner::Player(player.clone()), &tokens())?)
    }

    fn move_tokens(&self, from: Owner, to: Owner, amount: i64, reason: Reason) -> Vec<Transfer> {
        if amount == 0 { Vec::new() } else { vec![Transfer { from, to, currency: tokens(), amount, reason }] }
    }

    /// A rating with the league that it makes.
    pub(crate) fn rated(&self, standing: RatingRow) -> Rated {
        let rating = self.def(&standing.game).and_then(|def| def.rating);
        let league = rating.map_or("", |rating| rating.league(standing.points));
        let RatingRow { game, points, won, lost, drawn } = standing;
        Rated { game, rating: points, league_key: league.to_owned(), won, lost, drawn }
    }

    /// A player's ratings in every game here that rates players, including games they have not played.
    pub(crate) fn ratings_of(&self, id: &PlayerId) -> Result<Vec<Rated>, Trouble> {
        let mut standings = self.store.standings(id)?;
        for (def, rating) in self.games.all().iter().filter_map(|def| Some((def, def.rating?))) {
            if !standings.iter().any(|standing| standing.game == def.name) {
                let (game, points) = (def.name.to_owned(), rating.floor.into());
                standings.push(RatingRow { game, points, ..RatingRow::default() });
            }
        }
        Ok(standings.into_iter().map(|standing| self.rated(standing)).collect())
    }

    /// A player's own profile.
    pub(crate) fn profile(&self, player: &Player) -> Result<Profile, Trouble> {
        let ratings = self.ratings_of(&player.id)?;
        // One number for those who know one game only: that of the game they mean.
        let usual = |rated: &&Rated| {
            self.def(&rated.game).is_some_and(|def| def.lobby.default_for.contains(&Route::Queue))
        };
        let first = ratings.iter().find(usual).or(ratings.first());
        let first = first.map(|first| (first.rating, first.league_key.clone()));
        let (rating, league_key) = first.unwrap_or_default();
        let rights = RIGHTS.iter().filter(|(_, bit)| player.rights & bit != 0);
        Ok(Profile {
            player_id: player.id.to_string(),
            nickname: player.name.clone(),
            language: player.language.clone(),
            avatar: player.avatar.clone(),
            tokens: self.tokens_of(&player.id)?,
            rating,
            league_key,
            ratings,
            free_rename: player.renames == 0,
            rights: rights.map(|(name, _)| (*name).to_owned()).collect(),
        })
    }

    /// Changes an account. Changes of accounts run one at a time, so that none is lost.
    fn change(
        &self,
        id: &PlayerId,
        change: impl FnOnce(&mut Player) -> Result<(), Trouble>,
    ) -> Result<Player, Trouble> {
        let _one_at_a_time = lock(&self.accounts);
        let mut player = self.store.player(id)?.ok_or(Trouble::NoSuchPlayer)?;
        change(&mut player)?;
        self.store.write(Write::Player(player.clone()))?;
        Ok(player)
    }

    /// Gives an account another token.
    pub(super) fn new_token(&self, id: &PlayerId) -> Result<String, Trouble> {
        let token = fresh_token();
        self.change(id, |player| {
            player.token_hash = token_hash(&token);
            Ok(())
        })?;
        Ok(token)
    }

    pub(crate) fn set_profile(
        &self,
        id: &PlayerId,
        language: Option<&str>,
        avatar: Option<&str>,
    ) -> Result<Player, Trouble> {
        let language = one_of(&LANGUAGES, language, Trouble::InvalidLanguage)?;
        let avatar = one_of(&AVATARS, avatar, Trouble::InvalidAvatar)?;
        self.change(id, |player| {
            player.language = language.unwrap_or_else(|| std::mem::take(&mut player.language));
            player.avatar = avatar.unwrap_or_else(|| std::mem::take(&mut player.avatar));
            Ok(())
        })
    }

    /// Keeps whom a player does not want to hear.
    pub(crate) fn set_mutes(&self, id: &PlayerId, mutes: Mutes) -> Result<(), Trouble> {
        self.change(id, |player| {
            let preferences = Preferences { mutes };
            player.preferences = serde_json::to_string(&preferences).expect("preferences are plain data");
            Ok(())
        })?;
        Ok(())
    }

    pub(crate) fn set_rights(&self, id: &PlayerId, rights: u32) -> Result<Player, Trouble> {
        self.change(id, |player| {
            player.rights = rights;
            Ok(())
        })
    }

    /// Changes a nickname. The first change is free, every later one costs tokens. The same name again changes
    /// nothing.
    pub(crate) fn rename(&self, id: &PlayerId, to: &str) -> Result<Player, Trouble> {
        let to = nickname(to).ok_or(Trouble::InvalidNickname)?;
        let _one_at_a_time = lock(&self.accounts);
        let mut player = self.store.player(id)?.ok_or(Trouble::NoSuchPlayer)?;
        if player.name == to {
            return Ok(player);
        }
        let fee = if player.renames == 0 { 0 } else { self.config.rename_tokens };
        player.name = to;
        player.renames += 1;
        let key = format!("rename/{id}/{}", player.renames);
        let transfers = self.move_tokens(Owner::Player(id.clone()), Owner::Burn, fee, Reason::Rename);
        let write = Write::PlayerPays { player: player.clone(), key, transfers, at_ms: self.wall_ms() };
        self.store.write(write)?;
        self.games.rename_author(id, Some(&player.name));
        Ok(player)
    }

    /// Deletes an account: its tokens are burnt, its name becomes free, its token stops working. Its matches are kept
    /// under an anonymous name.
    pub(crate) fn delete_player(&self, id: &PlayerId) -> Result<(), Trouble> {
        if lock(&self.sittings).contains_key(id) {
            return Err(Trouble::Seated);
        }
        self.forget_waiting(id);
        let _one_at_a_time = lock(&self.accounts);
        let mut player = self.store.player(id)?.ok_or(Trouble::NoSuchPlayer)?;
        if player.deleted_ms.is_some() {
            return Ok(());
        }
        player.name = format!("deleted-{id}");
        player.token_hash = random();
        (player.language, player.avatar, player.rights) = (String::new(), String::new(), 0);
        player.preferences.clear();
        player.deleted_ms = Some(self.wall_ms());
        let left = self.tokens_of(id)?;
        let transfers = self.move_tokens(Owner::Player(id.clone()), Owner::Burn, left, Reason::Burn);
        let key = format!("deleted/{id}");
        self.store.write(Write::PlayerPays { player, key, transfers, at_ms: self.wall_ms() })?;
        self.games.rename_author(id, None);
        self.let_go_of(id)
    }

    /// Unloads tables that still show the player's name; they load again without it.
    fn let_go_of(&self, id: &PlayerId) -> Result<(), Trouble> {
        let mut before = None;
        loop {
            let page = self.store.history(id, before, parlor_store::ROWS_PER_PAGE_MAX)?;
            let Some(last) = page.last() else { return Ok(()) };
            before = Some(last.no);
            for past in page {
                if let Some(handle) = self.running(past.table.as_str()) {
                    let (done, stopped) = tokio::sync::oneshot::channel();
                    // Waits until the task has ended, so that the next caller does not reach a table that is about to
                    // stop.
                    tokio::runtime::Handle::current().block_on(async {
                        if handle.tx.send(Mail::Stop(done)).await.is_ok() {
                            let _ = stopped.await;
                        }
                    });
                }
            }
        }
    }

    /// Grants tokens from the mint, or burns them, by the operator's order.
    pub(crate) fn grant(&self, id: &PlayerId, amount: i64, key: &str) -> Result<i64, Trouble> {
        let player = self.store.player(id)?.ok_or(Trouble::NoSuchPlayer)?;
        if player.deleted_ms.is_some() {
            return Err(Trouble::NoSuchPlayer);
        }
        let his = Owner::Player(id.clone());
        let transfers = if amount > 0 {
            self.move_tokens(Owner::Mint, his, amount, Reason::Other)
        } else {
            self.move_tokens(his, Owner::Burn, -amount, Reason::Other)
        };
        self.store.write(Write::Post { key: format!("grant/{key}"), transfers, at_ms: self.wall_ms() })?;
        self.tokens_of(id)
    }

    // ---- seated players ----

    /// Notes that a table has these players. The note is removed when the match is over.
    pub(crate) fn note_sitting(&self, table: &str, game: &str, players: &[Option<String>]) {
        let mut sittings = lock(&self.sittings);
        for (seat, player) in (0..).zip(players) {
            let Some(id) = player.as_deref().and_then(|id| PlayerId::new(id).ok()) else { continue };
            let sitting = Sitting { game_id: table.to_owned(), game: game.to_owned(), seat };
            sittings.entry(id).or_default().insert(table.to_owned(), (sitting, false));
        }
    }

    /// Notes that these players left a table: the match stays theirs until it is over, but does not wait for them.
    pub(crate) fn note_left(&self, table: &str, players: &[Option<String>]) {
        let mut sittings = lock(&self.sittings);
        for id in players.iter().flatten().filter_map(|id| PlayerId::new(id).ok()) {
            if let Some((_, left)) = sittings.get_mut(&id).and_then(|his| his.get_mut(table)) {
                *left = true;
            }
        }
    }

    /// Notes that a table's match is over.
    pub(crate) fn note_gone(&self, table: &str, players: &[Option<String>]) {
        let mut sittings = lock(&self.sittings);
        for id in players.iter().flatten().filter_map(|id| PlayerId::new(id).ok()) {
            if let Some(his) = sittings.get_mut(&id) {
                his.remove(table);
                if his.is_empty() {
                    sittings.remove(&id);
                }
            }
        }
    }

    /// The matches that wait for a player.
    pub(crate) fn sittings(&self, id: &PlayerId) -> Vec<Sitting> {
        let sittings = lock(&self.sittings);
        let his = sittings.get(id).into_iter().flat_map(BTreeMap::values);
        his.filter(|(_, left)| !left).map(|(sitting, _)| sitting.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::nickname;

    #[test]
    fn a_nickname_has_three_to_sixteen_letters_of_any_language() {
        for (text, kept) in [
            ("Ann", Some("Ann")),
            ("  Ann   of  Arc ", Some("Ann of Arc")),
            ("雀士さん", Some("雀士さん")),
            ("Влад_07", Some("Влад_07")),
            ("a-b", Some("a-b")),
            ("abcdefghijklmnop", Some("abcdefghijklmnop")),
            ("abcdefghijklmnopq", None),
            ("ab", None),
            ("a  b", Some("a b")),
            ("   ", None),
            ("a.b.c", None),
            ("a\u{308}bc", None),
            ("Ann\u{200b}", None),
            ("<b>x</b>", None),
        ] {
            assert_eq!(nickname(text).as_deref(), kept, "{text:?}");
        }
    }
}
