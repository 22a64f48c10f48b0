//! Bodies of the admin API.

use serde::Deserialize;

use super::Text;

/// Why the operator does it.
#[derive(Deserialize)]
pub(crate) struct Reason {
    pub(crate) why: Text<1, 200>,
}

/// Through whose eyes the operator looks, and why.
#[derive(Deserialize)]
pub(crate) struct LookOrder {
    pub(crate) seat: u8,
    pub(crate) why: Text<1, 200>,
}

/// Whether no new tables are made.
#[derive(Deserialize)]
pub(crate) struct DrainOrder {
    pub(crate) on: bool,
}

/// Tokens for somebody, or fewer.
#[derive(Deserialize)]
pub(crate) struct GrantOrder {
    /// At most [`parlor_store::AMOUNT_MAX`] either way.
    pub(crate) amount: i64,
    /// Said twice, it is done once.
    pub(crate) key: Text<1, 100>,
    pub(crate) why: Text<1, 200>,
}

/// What somebody may do beyond playing.
#[derive(Deserialize)]
pub(crate) struct RightsOrder {
    pub(crate) rights: Vec<String>,
}
