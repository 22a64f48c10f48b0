//! What can be asked of this server, as tables of facts: the routes are made from them, bodies are checked by them, and
//! the pages for machines (OpenAPI, AsyncAPI) are written from them.

pub(crate) mod asyncapi;
pub(crate) mod check;
pub(crate) mod openapi;
pub(crate) mod schemas;

/// What a value must look like, as JSON Schema.
pub(crate) type Shape = fn() -> parlor_core::Json;

/// Whose token a request carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Auth {
    /// Nobody's.
    Nobody,
    /// A player's, or nobody's.
    Anybody,
    /// A player's.
    Player,
    /// A session's or a player's, at this table; or nobody's, to look.
    SeatOrNobody,
    /// A session's or a player's, at this table.
    Seat,
    /// That of whoever made the table.
    Owner,
}

/// One thing that can be asked for in the address.
#[derive(Clone, Copy)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) schema: Shape,
    pub(crate) about: &'static str,
}

/// One thing that can be asked.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) auth: Auth,
    pub(crate) query: &'static [Param],
    /// What the body must be.
    pub(crate) body: Option<Shape>,
    /// The status and the body when all is well.
    pub(crate) reply: (u16, Shape),
    /// The kind of the reply's body.
    pub(crate) media: &'static str,
    /// Another kind that it may be asked for, and its shape.
    pub(crate) or_else: Option<(&'static str, Shape)>,
    /// How it may be refused.
    pub(crate) errors: &'static [u16],
}

impl Operation {
    /// The parts of the address that vary.
    pub(crate) fn path_params(&self) -> impl Iterator<Item = &'static str> {
        let part = |part: &'static str| part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        self.path.split('/').filter_map(part)
    }
}
