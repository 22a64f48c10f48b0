//! The games of a server: those that it was built with, and rulesets that were loaded since. Tables keep the version
//! that they were begun with.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use parlor_core::{GameDef, Route};
use parlor_store::PlayerId;

use crate::rest::types::{Publication, PublishedBy};

/// Who published a ruleset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Author {
    pub(crate) id: PlayerId,
    /// None for a player who has deleted their account.
    pub(crate) name: Option<String>,
}

/// One version of a ruleset that this server has loaded.
#[derive(Clone)]
pub(crate) struct Published {
    pub(crate) def: GameDef,
    pub(crate) version: u32,
    /// None for a ruleset of the house.
    pub(crate) author: Option<Author>,
    /// Whether its tables may stake tokens.
    pub(crate) staked: bool,
    pub(crate) at_ms: u64,
}

type Identity = [u8; 32];

#[derive(Default)]
struct Loaded {
    /// The version that new tables of a ruleset have, by name; none if it was withdrawn.
    listed: BTreeMap<String, Identity>,
    /// Every version that was loaded, by name and identity.
    versions: HashMap<(String, Identity), Published>,
}

/// The games of a server.
pub(crate) struct Games {
    built_in: Vec<GameDef>,
    loaded: RwLock<Loaded>,
}

impl Games {
    pub(crate) fn new(built_in: Vec<GameDef>) -> Self {
        Self { built_in, loaded: RwLock::default() }
    }

    fn read(&self) -> RwLockReadGuard<'_, Loaded> {
        // Nothing that can panic runs under this lock.
        self.loaded.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Loaded> {
        self.loaded.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game of this name, for a new table.
    pub(crate) fn find(&self, name: &str) -> Option<GameDef> {
        let built_in = self.built_in.iter().find(|def| def.name == name).copied();
        built_in.or_else(|| Some(self.published(name)?.def))
    }

    /// Whether the server was built with a game of this name.
    pub(crate) fn is_built_in(&self, name: &str) -> bool {
        self.built_in.iter().any(|def| def.name == name)
    }

    /// The game that a request means when it names none.
    pub(crate) fn default_for(&self, route: Route) -> Option<GameDef> {
        self.built_in.iter().find(|def| def.lobby.default_for.contains(&route)).copied()
    }

    /// All games of which tables can be opened: those built in, then rulesets by name.
    pub(crate) fn all(&self) -> Vec<GameDef> {
        let loaded = self.read();
        let listed = loaded.listed.iter();
        let rulesets = listed.filter_map(|(name, identity)| loaded.versions.get(&(name.clone(), *identity)));
        self.built_in.iter().copied().chain(rulesets.map(|each| each.def)).collect()
    }

    /// The listed version of a ruleset.
    pub(crate) fn published(&self, name: &str) -> Option<Published> {
        let loaded = self.read();
        let identity = *loaded.listed.get(name)?;
        loaded.versions.get(&(name.to_owned(), identity)).cloned()
    }

    /// A version that is loaded.
    pub(crate) fn version(&self, name: &str, identity: &Identity) -> Option<Published> {
        self.read().versions.get(&(name.to_owned(), *identity)).cloned()
    }

    /// Whether these rules were published, rather than built in.
    pub(crate) fn is_published(&self, def: &GameDef) -> bool {
        def.identity.is_some() && !self.is_built_in(def.name)
    }

    /// How many versions are loaded: each is kept for as long as the process lives.
    pub(crate) fn loaded(&self) -> usize {
        self.read().versions.len()
    }

    /// Adds a version; `listed` makes it the one that new tables have.
    pub(crate) fn add(&self, published: Published, listed: bool) {
        let name = published.def.name.to_owned();
        let identity = published.def.identity.unwrap_or_default();
        let mut loaded = self.write();
        if listed {
            loaded.listed.insert(name.clone(), identity);
        }
        loaded.versions.insert((name, identity), published);
    }

    /// Who published these rules, and which version they are, for clients; null for rules that the server was built
    /// with.
    pub(crate) fn publication(&self, def: &GameDef) -> Option<Publication> {
        let found = def.identity.and_then(|identity| self.version(def.name, &identity))?;
        let by = |author: Author| PublishedBy { player_id: author.id.to_string(), name: author.name };
        Some(Publication {
            version: found.version,
            author: found.author.map(by),
            at: found.at_ms,
            identity: def.identity_hex()?,
        })
    }

    /// No new table of this ruleset is opened.
    pub(crate) fn withdraw(&self, name: &str) {
        self.write().listed.remove(name);
    }

    /// Notes an author's new name, or that they have none any more.
    pub(crate) fn rename_author(&self, id: &PlayerId, name: Option<&str>) {
        for published in self.write().versions.values_mut() {
            if let Some(author) = published.author.as_mut().filter(|author| author.id == *id) {
                author.name = name.map(str::to_owned);
            }
        }
    }
}
