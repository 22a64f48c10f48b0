//! A game as a server takes it.

use parlor_core::GameDef;
use parlor_wire::{DetectDialect, ShowDocument, WriteNotation};

/// A game as a server takes it: its definition, and the dialect that its clients may speak instead of the native
/// protocol.
#[derive(Clone, Copy)]
pub struct Registration {
    pub def: GameDef,
    pub dialect: Option<DetectDialect>,
    /// A dialect whose first message is no different from the native one: it is spoken on connections to a table of this
    /// game that agreed on no subprotocol and begin in MessagePack.
    pub table_dialect: Option<DetectDialect>,
    /// The name under which a table can be had in a form of the game's own, and what makes it: `/matches/{id}/NAME`.
    pub document: Option<(&'static str, ShowDocument)>,
    /// What writes a finished match in the game's own notations: `/matches/{id}/log?as=NAME`.
    pub notations: Option<WriteNotation>,
}

impl Registration {
    /// A game whose clients speak the native protocol.
    #[must_use]
    pub const fn new(def: GameDef) -> Self {
        Self { def, dialect: None, table_dialect: None, document: None, notations: None }
    }

    /// The same game with a dialect.
    #[must_use]
    pub const fn dialect(self, dialect: DetectDialect) -> Self {
        Self { dialect: Some(dialect), ..self }
    }

    /// The same game with a dialect that is told by the table alone.
    #[must_use]
    pub const fn table_dialect(self, dialect: DetectDialect) -> Self {
        Self { table_dialect: Some(dialect), ..self }
    }

    /// The same game with a form of its own for its tables.
    #[must_use]
    pub const fn document(self, name: &'static str, show: ShowDocument) -> Self {
        Self { document: Some((name, show)), ..self }
    }

    /// The same game with notations for its finished matches.
    #[must_use]
    pub const fn notations(self, write: WriteNotation) -> Self {
        Self { notations: Some(write), ..self }
    }
}

impl From<GameDef> for Registration {
    fn from(def: GameDef) -> Self {
        Self::new(def)
    }
}

/// The dialects of a server's games.
#[derive(Default)]
pub(crate) struct Dialects {
    /// Those that are told by their first message.
    pub(crate) by_message: Vec<DetectDialect>,
    /// Those that are told by the game of the table.
    by_game: Vec<(&'static str, DetectDialect)>,
    /// Forms of a table, by game and name.
    documents: Vec<(&'static str, &'static str, ShowDocument)>,
    notations: Vec<(&'static str, WriteNotation)>,
}

impl Dialects {
    /// The dialect that is spoken at tables of this game.
    pub(crate) fn of_game(&self, game: &str) -> Option<&DetectDialect> {
        self.by_game.iter().find(|(name, _)| *name == game).map(|(_, dialect)| dialect)
    }

    /// What makes this form of a table of this game.
    pub(crate) fn document(&self, game: &str, name: &str) -> Option<ShowDocument> {
        let found = self.documents.iter().find(|(of, called, _)| *of == game && *called == name);
        found.map(|(_, _, show)| *show)
    }

    /// Whether any game has a notation of this name.
    pub(crate) fn is_notation(&self, name: &str) -> bool {
        self.notations.iter().any(|(_, write)| write(name, "").is_some())
    }

    /// What writes finished matches of this game in its own notations.
    pub(crate) fn notations(&self, game: &str) -> Option<WriteNotation> {
        self.notations.iter().find(|(name, _)| *name == game).map(|(_, write)| *write)
    }
}

/// The definitions, and each dialect once: rulesets share theirs.
pub(crate) fn split(registrations: Vec<Registration>) -> (Vec<GameDef>, Dialects) {
    let by_game =
        registrations.iter().filter_map(|each| Some((each.def.name, each.table_dialect?))).collect();
    let documents = registrations.iter().filter_map(|each| {
        let (name, show) = each.document?;
        Some((each.def.name, name, show))
    });
    let documents = documents.collect();
    let notations = registrations.iter().filter_map(|each| Some((each.def.name, each.notations?))).collect();
    let mut dialects: Vec<DetectDialect> = Vec::new();
    for dialect in registrations.iter().filter_map(|registration| registration.dialect) {
        if !dialects.iter().any(|other| std::ptr::fn_addr_eq(*other, dialect)) {
            dialects.push(dialect);
        }
    }
    let defs = registrations.into_iter().map(|registration| registration.def).collect();
    (defs, Dialects { by_message: dialects, by_game, documents, notations })
}
