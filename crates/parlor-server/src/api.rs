//! The server's API as tables: the routes are built from them, bodies are checked against them, and the API
//! descriptions (OpenAPI, AsyncAPI) are generated from them.

pub(crate) mod asyncapi;
pub(crate) mod check;
pub(crate) mod openapi;
pub(crate) mod schemas;

/// A JSON Schema.
pub(crate) type Shape = fn() -> parlor_core::Json;

/// Whose token a request carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Auth {
    /// None.
    Nobody,
    /// A player's, or none.
    Anybody,
    /// A player's.
    Player,
    /// A session's or a player's at this table; or none, to look.
    SeatOrNobody,
    /// A session's or a player's at this table.
    Seat,
    /// The creator's.
    Owner,
}

/// A query parameter.
#[derive(Clone, Copy)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) schema: Shape,
    pub(crate) about: &'static str,
}

/// An operation of the API.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) auth: Auth,
    pub(crate) query: &'static [Param],
    pub(crate) body: Option<Shape>,
    /// The status and the body of a success.
    pub(crate) reply: (u16, Shape),
    /// The media type of the reply.
    pub(crate) media: &'static str,
    /// Another media type that the caller may ask for, and its schema.
    pub(crate) or_else: Option<(&'static str, Shape)>,
    /// The statuses of refusals.
    pub(crate) errors: &'static [u16],
}

impl Operation {
    /// The parameters in the path.
    pub(crate) fn path_params(&self) -> impl Iterator<Item = &'static str> {
        let part = |part: &'static str| part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        self.path.split('/').filter_map(part)
    }
}
