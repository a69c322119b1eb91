//! Parts of a JSON Schema.

use serde_json::{Map, Value, json};

/// A table with known keys, each with what it means.
pub struct Object {
    /// As findings name it.
    #[cfg_attr(not(test), allow(dead_code, reason = "tests compare it with what the reader asks for"))]
    pub what: &'static str,
    description: &'static str,
    pub keys: Vec<(&'static str, Value)>,
    required: Vec<&'static str>,
    /// What other keys hold; `None` refuses them.
    others: Option<Value>,
}

impl Object {
    pub fn new(what: &'static str, description: &'static str) -> Self {
        Self { what, description, keys: Vec::new(), required: Vec::new(), others: None }
    }

    /// A key that may be left out.
    pub fn key(mut self, name: &'static str, mut value: Value, description: &str) -> Self {
        value.as_object_mut().expect("a schema").insert("description".into(), description.into());
        self.keys.push((name, value));
        self
    }

    /// A key that must be there.
    pub fn need(mut self, name: &'static str, value: Value, description: &str) -> Self {
        self.required.push(name);
        self.key(name, value, description)
    }

    /// What keys hold that are names of the game.
    pub fn others(self, value: Value) -> Self {
        Self { others: Some(value), ..self }
    }

    pub fn json(&self) -> Value {
        let properties: Map<String, Value> =
            self.keys.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let mut object = json!({
            "type": "object",
            "description": self.description,
            "properties": properties,
            "additionalProperties": self.others.clone().unwrap_or(Value::Bool(false)),
        });
        if !self.required.is_empty() {
            object["required"] = self.required.clone().into();
        }
        object
    }
}

pub fn text() -> Value {
    json!({ "type": "string" })
}

pub fn flag() -> Value {
    json!({ "type": "boolean" })
}

/// A whole number from a least one on.
pub fn whole(least: u64) -> Value {
    json!({ "type": "integer", "minimum": least })
}

/// A whole number from 0 on.
pub fn count() -> Value {
    whole(0)
}

/// A number, or text of one: a fraction, a percentage, a multiple of the bet.
pub fn number() -> Value {
    json!({
        "type": ["number", "string"],
        "pattern": r"^\s*[-+]?[0-9_.]+([eE][-+]?[0-9]+)?(\s*/\s*[0-9_.]+([eE][-+]?[0-9]+)?)?\s*(%|x\s*((total|line)\s+)?bet)?\s*$",
    })
}

/// One of some words.
pub fn one_of(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

pub fn list(item: Value) -> Value {
    json!({ "type": "array", "items": item })
}

/// One value for all bets, or a list with one for each.
pub fn per_bet(value: Value) -> Value {
    either([value.clone(), list(value)])
}

/// Any of some schemas.
pub fn either<const N: usize>(schemas: [Value; N]) -> Value {
    json!({ "anyOf": schemas.to_vec() })
}
