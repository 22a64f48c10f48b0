//! What can be set at a table, as a JSON Schema: made from the settings a table has when nobody sets anything, and
//! from the facts about them that a value cannot show.

use serde_json::{Map, json};

use crate::Json;

/// A schema under construction.
#[derive(Clone, PartialEq, Debug)]
pub struct Schema(Json);

impl Schema {
    /// The schema of settings that are these by default: their names and types.
    #[must_use]
    pub fn of(defaults: &Json) -> Self {
        let mut schema = typed(defaults);
        if let Some(object) = schema.as_object_mut() {
            object.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        }
        Self(schema)
    }

    /// This setting is a whole number within these bounds.
    #[must_use]
    pub fn range(self, name: &str, least: i64, most: i64) -> Self {
        self.with(name, "minimum", json!(least)).with(name, "maximum", json!(most))
    }

    /// This setting is one of these.
    #[must_use]
    pub fn one_of(self, name: &str, values: &[&str]) -> Self {
        self.with(name, "enum", json!(values))
    }

    /// What this setting means, for people.
    #[must_use]
    pub fn text(self, name: &str, text: &str) -> Self {
        self.with(name, "description", json!(text))
    }

    /// Some keyword of this setting.
    ///
    /// # Panics
    /// When there is no such setting: a game's own slip, found by the first look at its schema.
    #[must_use]
    pub fn with(mut self, name: &str, keyword: &str, value: Json) -> Self {
        let property = self.0["properties"].get_mut(name).and_then(Json::as_object_mut);
        let property = property.unwrap_or_else(|| panic!("there is no setting {name}"));
        property.insert(keyword.to_owned(), value);
        self
    }

    /// The schema.
    #[must_use]
    pub fn json(self) -> Json {
        self.0
    }
}

fn typed(value: &Json) -> Json {
    match value {
        // Nothing by default: only the game can say what it may be.
        Json::Null => json!({"default": null}),
        Json::Bool(_) => json!({"type": "boolean", "default": value}),
        Json::Number(_) => json!({"type": "integer", "default": value}),
        Json::String(_) => json!({"type": "string", "default": value}),
        Json::Array(items) => {
            let mut array = json!({"type": "array", "default": value});
            if let Some(first) = items.first() {
                let mut item = typed(first);
                if let Some(item) = item.as_object_mut() {
                    item.remove("default");
                }
                array["items"] = item;
            }
            array
        }
        Json::Object(members) => {
            let properties: Map<String, Json> =
                members.iter().map(|(name, member)| (name.clone(), typed(member))).collect();
            json!({"type": "object", "properties": properties, "additionalProperties": false})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_give_names_and_types_and_the_game_adds_what_a_value_cannot_show() {
        let schema = Schema::of(&json!({"rounds": 3, "mode": "short", "open": false}))
            .range("rounds", 1, 9)
            .one_of("mode", &["short", "long"])
            .json();
        assert_eq!(
            schema["properties"]["rounds"],
            json!({"type": "integer", "default": 3, "minimum": 1, "maximum": 9})
        );
        assert_eq!(schema["properties"]["mode"]["enum"], json!(["short", "long"]));
        assert_eq!(schema["properties"]["open"]["type"], "boolean");
        assert_eq!(schema["additionalProperties"], false);
    }
}
