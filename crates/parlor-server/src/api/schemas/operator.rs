//! Bodies of the admin API.

use parlor_core::Json;
use serde_json::json;

use super::{flag, list, object, text_of};
use crate::house::accounts::RIGHTS;

pub(crate) fn reason() -> Json {
    object("Reason", "Why the operator does it.", &[("why", text_of(1, 200), "")], &[])
}

pub(crate) fn look_order() -> Json {
    let seat = json!({"type": "integer", "minimum": 0, "maximum": 255});
    let required = [("seat", seat, ""), ("why", text_of(1, 200), "")];
    object("LookOrder", "Through whose eyes the operator looks, and why.", &required, &[])
}

pub(crate) fn drain_order() -> Json {
    object("DrainOrder", "Whether no new tables are made.", &[("on", flag(), "")], &[])
}

pub(crate) fn grant_order() -> Json {
    let most = parlor_store::AMOUNT_MAX;
    let amount = json!({"type": "integer", "minimum": -most, "maximum": most});
    object(
        "GrantOrder",
        "Tokens for somebody, or fewer.",
        &[
            ("amount", amount, ""),
            ("key", text_of(1, 100), "said twice, it is done once"),
            ("why", text_of(1, 200), ""),
        ],
        &[],
    )
}

pub(crate) fn rights_order() -> Json {
    let names: Vec<&str> = RIGHTS.iter().map(|(name, _)| *name).collect();
    let rights = list(json!({"enum": names}));
    object("RightsOrder", "What somebody may do beyond playing.", &[("rights", rights, "")], &[])
}
