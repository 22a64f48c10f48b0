//! A ruleset as text: its syntax with the place of every value, what is wrong with it, variants, and the JSON Schema.
//!
//! Nothing here resolves a name or knows a type: that is the compiler's work.
//!
//! | file | what |
//! |---|---|
//! | `syntax` | a JSON reader that keeps places |
//! | `pointer` | where in a text a JSON pointer leads |
//! | `extends` | a ruleset that names another, laid over it |
//! | `desugar` | the document's own forms, rewritten into the language |
//! | `diagnostics` | findings: where, what, and what to do about it |
//! | `suggest`, `edit_distance` | the name that was probably meant |
//! | `schema` | the JSON Schema of rulesets |
//! | `format` | the one layout of a ruleset file |

pub(crate) mod desugar;
pub(crate) mod diagnostics;
pub(crate) mod edit_distance;
pub(crate) mod extends;
pub(crate) mod format;
pub(crate) mod pointer;
pub(crate) mod schema;
pub(crate) mod suggest;
pub(crate) mod syntax;

pub(crate) use diagnostics::{Elsewhere, Finding, Findings, Level};
pub(crate) use syntax::{Node, Value};
