//! The server's API as a table: the routes are built from it, and so are its descriptions for programs.
//!
//! The descriptions (OpenAPI, AsyncAPI, and the types of the TypeScript client) are made by tests, from the table of
//! routes and from the types that are read and written. The server gives out the files that were committed.

#[cfg(test)]
mod asyncapi;
#[cfg(test)]
mod openapi;
#[cfg(test)]
pub(crate) mod schema;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;

/// The OpenAPI description.
pub(crate) const OPENAPI: &str = include_str!("../../../docs/api/openapi.json");
/// The AsyncAPI description.
pub(crate) const ASYNCAPI: &str = include_str!("../../../docs/api/asyncapi.json");

/// A type that has a schema. Schemas are made in tests alone: elsewhere every type will do.
#[cfg(test)]
pub(crate) use schemars::JsonSchema as Described;

#[cfg(not(test))]
pub(crate) trait Described {}

#[cfg(not(test))]
impl<T> Described for T {}

/// The schema of a type.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    #[cfg(test)]
    pub(crate) schema: fn(&mut schemars::SchemaGenerator) -> schemars::Schema,
}

impl Shape {
    /// A reference to the type's schema, by its name.
    pub(crate) const fn of<T: Described>() -> Self {
        Self {
            #[cfg(test)]
            schema: schema::reference_to::<T>,
        }
    }

    /// The type's schema itself.
    pub(crate) const fn of_fields<T: Described>() -> Self {
        Self {
            #[cfg(test)]
            schema: T::json_schema,
        }
    }
}

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

/// An operation of the API.
#[derive(Clone, Copy)]
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "what only the descriptions say is read where they are made")
)]
pub(crate) struct Operation {
    pub(crate) method: &'static str,
    pub(crate) path: &'static str,
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) auth: Auth,
    /// The fields of the query.
    pub(crate) query: Option<Shape>,
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

#[cfg(test)]
impl Operation {
    /// The parameters in the path.
    pub(crate) fn path_params(&self) -> impl Iterator<Item = &'static str> {
        let part = |part: &'static str| part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        self.path.split('/').filter_map(part)
    }
}
