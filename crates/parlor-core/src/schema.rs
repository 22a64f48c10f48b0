//! JSON Schemas of table settings: derived from the default settings, with additions that the defaults cannot show.

use serde_json::{Map, json};

use crate::Json;

/// A schema under construction.
#[derive(Clone, PartialEq, Debug)]
pub struct Schema(Json);

impl Schema {
    /// The schema of settings with these defaults: their names and types.
    #[must_use]
    pub fn of(defaults: &Json) -> Self {
        let mut schema = typed(defaults);
        if let Some(object) = schema.as_object_mut() {
            object.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        }
        Self(schema)
    }

    /// Limits a whole number to these bounds.
    #[must_use]
    pub fn range(self, name: &str, least: i64, most: i64) -> Self {
        self.with(name, "minimum", json!(least)).with(name, "maximum", json!(most))
    }

    /// Limits a setting to one of these values.
    #[must_use]
    pub fn one_of(self, name: &str, values: &[&str]) -> Self {
        self.with(name, "enum", json!(values))
    }

    /// Describes a setting for people.
    #[must_use]
    pub fn text(self, name: &str, text: &str) -> Self {
        self.with(name, "description", json!(text))
    }

    /// Adds a keyword to a setting.
    ///
    /// # Panics
    /// If there is no such setting: a mistake of the game, found when its schema is first built.
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
        // The default is null: only the game knows what else it may be.
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
