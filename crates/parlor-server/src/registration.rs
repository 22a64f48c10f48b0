//! A game as a server takes it.

use parlor_core::GameDef;
use parlor_wire::DetectDialect;

/// A game as a server takes it: its definition, and the dialect that its clients may speak instead of the native
/// protocol.
#[derive(Clone, Copy)]
pub struct Registration {
    pub def: GameDef,
    pub dialect: Option<DetectDialect>,
}

impl Registration {
    /// A game whose clients speak the native protocol.
    #[must_use]
    pub const fn new(def: GameDef) -> Self {
        Self { def, dialect: None }
    }

    /// The same game with a dialect.
    #[must_use]
    pub const fn dialect(self, dialect: DetectDialect) -> Self {
        Self { dialect: Some(dialect), ..self }
    }
}

impl From<GameDef> for Registration {
    fn from(def: GameDef) -> Self {
        Self::new(def)
    }
}

/// The definitions, and each dialect once: rulesets share theirs.
pub(crate) fn split(registrations: Vec<Registration>) -> (Vec<GameDef>, Vec<DetectDialect>) {
    let mut dialects: Vec<DetectDialect> = Vec::new();
    for dialect in registrations.iter().filter_map(|registration| registration.dialect) {
        if !dialects.iter().any(|other| std::ptr::fn_addr_eq(*other, dialect)) {
            dialects.push(dialect);
        }
    }
    (registrations.into_iter().map(|registration| registration.def).collect(), dialects)
}
