//! Names of tables, players, holds and currencies. A name is checked once, here, and is cheap to copy afterwards.

use std::fmt;
use std::sync::Arc;

/// Bytes of one name.
pub const ID_BYTES_MAX: usize = 128;

/// Why a text is no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a name has 1 to {ID_BYTES_MAX} bytes and no control characters")]
pub struct IdError;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Checks and takes a name.
            ///
            /// # Errors
            /// When it is empty, too long, or has control characters.
            pub fn new(text: &str) -> Result<Self, IdError> {
                let well = (1..=ID_BYTES_MAX).contains(&text.len()) && !text.contains(char::is_control);
                if well { Ok(Self(text.into())) } else { Err(IdError) }
            }

            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// The name of a table: `{id}` in `/matches/{id}`.
    TableId
);
id!(
    /// The name of a player, for as long as they have an account.
    PlayerId
);
id!(
    /// The name of a hold. The caller chooses it, so that asking again is no second hold.
    HoldId
);
id!(
    /// What is counted: one currency is never turned into another.
    Currency
);
