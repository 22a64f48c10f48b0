//! What REST takes and gives, as types. The API's descriptions are made from them: a field that is added here is in
//! OpenAPI and in the TypeScript client as well.
//!
//! A request is read by its type and by nothing else. Fields of replies are written in the order of their names
//! ([`super::problem::json_ok`]).

mod house;
mod operator;
mod people;
mod rulesets;
mod tables;

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize};

pub(crate) use house::*;
pub(crate) use operator::*;
pub(crate) use people::*;
pub(crate) use rulesets::*;
pub(crate) use tables::*;

/// Text of `MIN` to `MAX` characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Text<const MIN: usize, const MAX: usize>(pub(crate) String);

impl<'de, const MIN: usize, const MAX: usize> Deserialize<'de> for Text<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if (MIN..=MAX).contains(&text.chars().count()) {
            return Ok(Self(text));
        }
        Err(serde::de::Error::custom(format_args!("it has {MIN} to {MAX} characters")))
    }
}

/// A whole number from 0 to `MAX`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UpTo<const MAX: u64>(pub(crate) u64);

impl<'de, const MAX: u64> Deserialize<'de> for UpTo<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let n = u64::deserialize(deserializer)?;
        if n <= MAX {
            return Ok(Self(n));
        }
        Err(serde::de::Error::custom(format_args!("it is at most {MAX}")))
    }
}

/// A list of words that a request can choose from.
pub(crate) trait Words {
    const WORDS: &'static [&'static str];
}

/// One of these words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OneOf<W>(pub(crate) String, PhantomData<W>);

impl<'de, W: Words> Deserialize<'de> for OneOf<W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        if W::WORDS.contains(&word.as_str()) {
            return Ok(Self(word, PhantomData));
        }
        Err(serde::de::Error::custom(format_args!("it is one of {}", W::WORDS.join(", "))))
    }
}

/// In a field that a reply may leave out: a value, or null.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct OrNull<T>(pub(crate) Option<T>);

/// What a flag is that was not given.
fn yes() -> bool {
    true
}

#[cfg(test)]
mod schemas {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{OneOf, OrNull, Text, UpTo, Words};
    use crate::api::schema::OR_NULL;

    impl<const MIN: usize, const MAX: usize> JsonSchema for Text<MIN, MAX> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("Text{MIN}To{MAX}").into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            let mut schema = json_schema!({"type": "string", "maxLength": MAX});
            if MIN > 0 {
                schema.insert("minLength".to_owned(), MIN.into());
            }
            schema
        }
    }

    impl<const MAX: u64> JsonSchema for UpTo<MAX> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("UpTo{MAX}").into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "integer", "minimum": 0, "maximum": MAX})
        }
    }

    impl<W: Words> JsonSchema for OneOf<W> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            W::WORDS.join("Or").into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({"type": "string", "enum": W::WORDS})
        }
    }

    impl<T: JsonSchema> JsonSchema for OrNull<T> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            format!("{}OrNull", T::schema_name()).into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            let mut schema = generator.subschema_for::<Option<T>>();
            schema.insert(OR_NULL.to_owned(), true.into());
            schema
        }
    }
}
