//! The JSON Schema of scene files. It is made from the types of [`crate::model`], and the same types are what a file is
//! checked against and read into: there is no second description.

use crate::model::SceneFile;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// The schema as the types have it: numbers are numbers.
pub(crate) fn strict() -> &'static Value {
    static SCHEMA: OnceLock<Value> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let mut schema = schemars::schema_for!(SceneFile).to_value();
        drop_nulls(&mut schema);
        drop_examples(&mut schema);
        schema
    })
}

/// The JSON Schema (draft 2020-12) of scene files, for editors: every number may also be a string with an expression.
///
/// ```
/// let schema = moreau_scene::schema();
/// assert!(schema["properties"]["bodies"].is_object());
/// ```
pub fn schema() -> Value {
    let mut schema = strict().clone();
    allow_expressions(&mut schema);
    schema
}

/// Examples in Rust mean nothing to those who write TOML: descriptions end before them.
fn drop_examples(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::String(text)) = map.get_mut("description")
                && let Some(at) = text.find("```")
            {
                text.truncate(at);
                text.truncate(text.trim_end().len());
            }
            map.values_mut().for_each(drop_examples);
        }
        Value::Array(list) => list.iter_mut().for_each(drop_examples),
        _ => {}
    }
}

/// TOML has no null: what may be missing is missing.
fn drop_nulls(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|kind| kind != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".into(), only);
                }
            }
            if map.get("default") == Some(&Value::Null) {
                map.remove("default");
            }
            for key in ["anyOf", "oneOf"] {
                if let Some(Value::Array(choices)) = map.get_mut(key) {
                    choices.retain(|choice| choice.get("type") != Some(&json!("null")));
                    if let [Value::Object(only)] = choices.as_slice() {
                        let only = only.clone();
                        map.remove(key);
                        map.extend(only);
                    }
                }
            }
            map.values_mut().for_each(drop_nulls);
        }
        Value::Array(list) => list.iter_mut().for_each(drop_nulls),
        _ => {}
    }
}

fn allow_expressions(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            let kind = map.get("type").and_then(Value::as_str);
            if matches!(kind, Some("number" | "integer" | "boolean")) {
                let kind = kind.map(str::to_string);
                map.insert("type".into(), json!([kind, "string"]));
            }
            // A word from a list may be a parameter as well: "$scheme". The `type` of a table may not, as it decides
            // what else may stand there.
            let is_word = |choice: &Value| choice.get("const").is_some();
            if let Some(Value::Array(words)) = map.get("oneOf")
                && words.iter().all(is_word)
            {
                let mut words = words.clone();
                words.push(json!({"type": "string", "pattern": "^\\$"}));
                map.remove("oneOf");
                map.insert("anyOf".into(), Value::Array(words));
            }
            map.values_mut().for_each(allow_expressions);
        }
        Value::Array(list) => list.iter_mut().for_each(allow_expressions),
        _ => {}
    }
}
