//! Publishes rulesets: versions that are stored for good, named by their content, and loaded while the server runs.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use parlor_core::{GameDef, Header, HouseCode, Lobby};
use parlor_store::{
    AuditLine, Player, PlayerId, ROWS_PER_PAGE_MAX, ReadError, RulesetInfo, RulesetState, RulesetVersion,
    Write, WriteError,
};

use parlor_wire::ruleset::{CompiledRuleset, RulesetCompiler, RulesetFinding};
use tokio::sync::Semaphore;

use super::games::{Author, Published};
use super::quiet_threads::QuietThreads;
use crate::house::hub::{Hub, lock};

/// The length of a ruleset's name.
const NAME_CHARS: std::ops::RangeInclusive<usize> = 3..=40;
/// The time over which an author's versions are counted, in milliseconds.
const DAY_MS: u64 = 24 * 3_600_000;
/// Requests that may compile a ruleset, or wait for it, at a time.
const TURNS_MAX: usize = 8;
/// Reports that are remembered, so that nobody reports the same ruleset twice.
const REPORTS_MAX: usize = 10_000;
/// Where lobbies list rulesets: after the games that a server was built with, except those for developers.
const LOBBY: Lobby = Lobby { order: 10, tags: &["published"], ..Lobby::DEFAULT };

/// Why a ruleset was not published.
#[derive(Debug)]
pub(crate) enum PublishError {
    /// This server takes no rulesets.
    Unsupported,
    NotAllowed,
    /// Everything that is wrong with it.
    Invalid(Vec<RulesetFinding>),
    InvalidName,
    NameTaken,
    TakenDown,
    Staked,
    TooManyToday,
    TooMany,
    NotFound,
    Busy,
}

impl PublishError {
    /// The code and the text that a client gets.
    pub(crate) fn words(&self) -> (HouseCode, &'static str) {
        match self {
            Self::Unsupported => (HouseCode::NoRulesets, "this server takes no rulesets"),
            Self::NotAllowed => {
                (HouseCode::Forbidden, "that is not yours to do: the operator gives the right to publish")
            }
            Self::Invalid(_) => (HouseCode::InvalidRuleset, "the ruleset has mistakes"),
            Self::InvalidName => (
                HouseCode::InvalidName,
                "the id of a ruleset has 3 to 40 characters of a-z, 0-9 and -, and does not begin with -",
            ),
            Self::NameTaken => (HouseCode::NameTaken, "another game has this id"),
            Self::TakenDown => (HouseCode::TakenDown, "the operator has taken this ruleset down"),
            Self::Staked => (HouseCode::Staked, "a ruleset that players publish stakes no tokens"),
            Self::TooManyToday => (HouseCode::TooManyToday, "you have published as much as one may in a day"),
            Self::TooMany => (HouseCode::AtCapacity, "this server has loaded as many rulesets as it may"),
            Self::NotFound => (HouseCode::RulesetNotFound, "there is no such ruleset"),
            Self::Busy => (HouseCode::Busy, "the server cannot store anything now; try again"),
        }
    }
}

impl From<ReadError> for PublishError {
    fn from(_: ReadError) -> Self {
        Self::Busy
    }
}

impl From<WriteError> for PublishError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::NameTaken => Self::NameTaken,
            WriteError::Unknown => Self::NotFound,
            _ => Self::Busy,
        }
    }
}

/// What the hub keeps for rulesets beside the games themselves.
pub(crate) struct Publishing {
    pub(crate) compiler: Option<Arc<dyn RulesetCompiler>>,
    /// Held while a version is compiled, stored and loaded: versions of a name follow one another.
    one_at_a_time: Mutex<()>,
    /// Requests that may compile something, or wait for it.
    pub(crate) turns: Semaphore,
    pub(crate) tables: QuietThreads,
    /// Who has reported which ruleset since the server started.
    reported: Mutex<HashSet<(PlayerId, String)>>,
}

impl Publishing {
    pub(crate) fn new(compiler: Option<Arc<dyn RulesetCompiler>>) -> Self {
        Self {
            compiler,
            one_at_a_time: Mutex::default(),
            turns: Semaphore::new(TURNS_MAX),
            tables: QuietThreads::default(),
            reported: Mutex::default(),
        }
    }
}

/// These functions block on the store and may take as long as a ruleset takes to compile: call them where blocking is
/// allowed.
impl Hub {
    /// Loads the newest version of every ruleset that is listed. One that this build cannot compile is not listed.
    pub(crate) fn load_rulesets(&self) -> Result<(), String> {
        if self.publishing.compiler.is_none() {
            return Ok(());
        }
        let mut after: Option<String> = None;
        loop {
            let page = self.store.rulesets(after.as_deref(), ROWS_PER_PAGE_MAX);
            let page = page.map_err(|error| error.to_string())?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.name.clone());
            for info in page.iter().filter(|info| info.state == RulesetState::Listed) {
                if self.games.is_built_in(&info.name) {
                    continue;
                }
                let stored = self.store.ruleset_version(&info.name, info.version);
                let loaded = stored
                    .map_err(|error| error.to_string())
                    .and_then(|stored| self.load_version(&stored.ok_or("its text is gone")?, true));
                if let Err(why) = loaded {
                    tracing::error!(ruleset = %info.name, version = info.version, %why, "could not load ruleset");
                }
            }
        }
    }

    /// Compiles a stored version and adds it to the games.
    fn load_version(&self, stored: &RulesetVersion, listed: bool) -> Result<GameDef, String> {
        let compiler = self.publishing.compiler.as_ref().ok_or("this server takes no rulesets")?;
        let compiled = compiler.compile(&stored.text, &|_| None).map_err(|findings| {
            findings.first().map_or_else(|| "it does not compile".to_owned(), |first| first.message.clone())
        })?;
        if compiled.identity != stored.identity || compiled.name != stored.name {
            return Err("this build gives it another identity".to_owned());
        }
        Ok(self.register(compiled, stored, listed))
    }

    fn register(&self, compiled: CompiledRuleset, stored: &RulesetVersion, listed: bool) -> GameDef {
        let known = self.games.version(&stored.name, &stored.identity);
        let staked = compiled.staked;
        let mut def = known.map_or_else(|| (compiled.register)(), |known| known.def);
        def.lobby = LOBBY;
        let author = stored.author.as_ref().map(|id| Author { id: id.clone(), name: self.name_of(id) });
        let published = Published { def, version: stored.version, author, staked, at_ms: stored.at_ms };
        self.games.add(published, listed);
        def
    }

    fn name_of(&self, id: &PlayerId) -> Option<String> {
        let player = self.store.player(id).ok().flatten();
        player.filter(|player| player.deleted_ms.is_none()).map(|player| player.name)
    }

    /// The game that a match was begun with: the version its header names, loaded from the store where it must be.
    pub(crate) fn def_of(&self, header: &Header) -> Option<GameDef> {
        match &header.identity {
            Some(identity) if !self.games.is_built_in(&header.game) => self.def_with(&header.game, identity),
            // The rules of a game that is built in refuse a header that is not theirs, and say why.
            _ => self.def(&header.game),
        }
    }

    /// The version of a ruleset with this identity, in hexadecimal digits.
    pub(crate) fn def_with(&self, name: &str, identity: &str) -> Option<GameDef> {
        let identity = bytes_of_hex(identity)?;
        if let Some(known) = self.games.version(name, &identity) {
            return Some(known.def);
        }
        let _one_at_a_time = lock(&self.publishing.one_at_a_time);
        if let Some(known) = self.games.version(name, &identity) {
            return Some(known.def);
        }
        let stored = self.store.ruleset_of(name, &identity).ok()??;
        let loaded = self.load_version(&stored, false);
        loaded.inspect_err(|why| tracing::error!(ruleset = %name, %why, "could not load ruleset")).ok()
    }

    /// Checks a ruleset as [`Hub::publish`] would, and stores nothing.
    pub(crate) fn check_ruleset(&self, text: &str) -> Result<CompiledRuleset, PublishError> {
        let compiler = self.publishing.compiler.clone().ok_or(PublishError::Unsupported)?;
        let base = |name: &str| {
            let info = self.store.ruleset(name).ok()??;
            let listed = info.state == RulesetState::Listed;
            listed
                .then(|| self.store.ruleset_version(name, info.version).ok()?)
                .flatten()
                .map(|base| base.text)
        };
        compiler.compile(text, &base).map_err(PublishError::Invalid)
    }

    /// Publishes a ruleset of a player's: the next version of its name, unless the newest one has the same text.
    pub(crate) fn publish(
        &self,
        author: &Player,
        text: &str,
    ) -> Result<(RulesetInfo, Vec<RulesetFinding>), PublishError> {
        if !self.may_publish(author) {
            return Err(PublishError::NotAllowed);
        }
        let since = self.wall_ms().saturating_sub(DAY_MS);
        if self.store.ruleset_versions_since(&author.id, since)? >= self.config.ruleset_versions_per_day_max {
            return Err(PublishError::TooManyToday);
        }
        let _one_at_a_time = lock(&self.publishing.one_at_a_time);
        let compiled = self.check_ruleset(text)?;
        if compiled.staked {
            return Err(PublishError::Staked);
        }
        let warnings = compiled.warnings.clone();
        Ok((self.store_version(compiled, Some(author.id.clone()))?, warnings))
    }

    /// Publishes a ruleset of the house's own.
    pub(crate) fn publish_for_house(&self, compiled: CompiledRuleset) -> Result<RulesetInfo, PublishError> {
        let _one_at_a_time = lock(&self.publishing.one_at_a_time);
        self.store_version(compiled, None)
    }

    /// Whether this player may publish rulesets here.
    pub(crate) fn may_publish(&self, player: &Player) -> bool {
        self.config.publish_open || player.rights & super::accounts::RIGHT_TO_PUBLISH != 0
    }

    fn store_version(
        &self,
        compiled: CompiledRuleset,
        author: Option<PlayerId>,
    ) -> Result<RulesetInfo, PublishError> {
        let name = compiled.name.clone();
        if !is_name(&name) || self.games.is_built_in(&name) {
            return Err(if is_name(&name) { PublishError::NameTaken } else { PublishError::InvalidName });
        }
        let known = self.store.ruleset(&name)?;
        if known.as_ref().is_some_and(|known| known.author != author) {
            return Err(PublishError::NameTaken);
        }
        if known.as_ref().is_some_and(|known| known.state == RulesetState::TakenDown) {
            return Err(PublishError::TakenDown);
        }
        if let Some(known) = known.as_ref().filter(|known| known.state == RulesetState::Listed)
            && let Some(newest) = self.store.ruleset_version(&name, known.version)?
            && newest.text == compiled.text
        {
            // A house that starts again with the same files, or a client that tries again.
            self.register(compiled, &newest, true);
            return Ok(known.clone());
        }
        if self.games.loaded() >= self.config.rulesets_max {
            return Err(PublishError::TooMany);
        }
        let stored = RulesetVersion {
            version: known.map_or(1, |known| known.version + 1),
            identity: compiled.identity,
            author,
            title: compiled.title.clone(),
            text: compiled.text.clone(),
            at_ms: self.wall_ms(),
            name,
        };
        self.store.write(Write::Ruleset(stored.clone()))?;
        self.register(compiled, &stored, true);
        Ok(RulesetInfo::of(&stored, RulesetState::Listed))
    }

    /// Withdraws a player's own ruleset: no new tables; those that run go on.
    pub(crate) fn withdraw(&self, author: &Player, name: &str) -> Result<(), PublishError> {
        let known = self.store.ruleset(name)?.ok_or(PublishError::NotFound)?;
        if known.author.as_ref() != Some(&author.id) {
            return Err(PublishError::NotAllowed);
        }
        if known.state == RulesetState::Listed {
            self.set_ruleset_state(name, RulesetState::Withdrawn)?;
        }
        Ok(())
    }

    /// Lists a ruleset again, withdraws it or takes it down.
    pub(crate) fn set_ruleset_state(&self, name: &str, state: RulesetState) -> Result<(), PublishError> {
        let _one_at_a_time = lock(&self.publishing.one_at_a_time);
        let known = self.store.ruleset(name)?.ok_or(PublishError::NotFound)?;
        self.store.write(Write::RulesetState { name: name.to_owned(), state })?;
        if state == RulesetState::Listed {
            let stored = self.store.ruleset_version(name, known.version)?.ok_or(PublishError::NotFound)?;
            self.load_version(&stored, true).map_err(|_| PublishError::NotFound)?;
        } else {
            self.games.withdraw(name);
        }
        Ok(())
    }

    /// Notes for the operator that a player finds something wrong with a ruleset: once for each player and ruleset.
    pub(crate) fn report_ruleset(&self, by: &Player, name: &str, text: &str) -> Result<(), PublishError> {
        let known = self.store.ruleset(name)?.ok_or(PublishError::NotFound)?;
        {
            let mut reported = lock(&self.publishing.reported);
            if reported.len() >= REPORTS_MAX {
                reported.clear();
            }
            if !reported.insert((by.id.clone(), name.to_owned())) {
                return Ok(());
            }
        }
        let about = serde_json::json!({
            "ruleset": name, "version": known.version, "player": by.id.as_str(), "text": text,
        });
        let line = AuditLine { at_ms: self.wall_ms(), what: "ruleset_reported".to_owned(), about };
        self.store.write(Write::Audit(line))?;
        Ok(())
    }
}

/// Whether a ruleset may have this name: it stands in addresses, beside `/rulesets/check`, and in commands.
fn is_name(name: &str) -> bool {
    let well = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    NAME_CHARS.contains(&name.len()) && name.chars().all(well) && !name.starts_with('-') && name != "check"
}

/// The 32 bytes that these digits name.
fn bytes_of_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (n, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * n..2 * n + 2], 16).ok()?;
    }
    Some(bytes)
}
