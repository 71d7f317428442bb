//! The published schema, judged by a small validator of its own that knows nothing of the crate's reader.

use super::samples;
use serde_json::{Value, json};

fn valid(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(&reference[1..]).ok_or("dangling reference")?;
        valid(value, target, root)?;
    }
    for (key, exactly_one) in [("anyOf", false), ("oneOf", true)] {
        if let Some(choices) = schema[key].as_array() {
            let fits = choices.iter().filter(|c| valid(value, c, root).is_ok());
            let count = fits.count();
            if count == 0 || exactly_one && count > 1 {
                return Err(format!("{value} fits {count} of {key} {schema}"));
            }
        }
    }
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let is = |kind: &&str| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64(),
        _ => false,
    };
    if !kinds.is_empty() && !kinds.iter().any(is) {
        return Err(format!("{value} is none of {kinds:?}"));
    }
    if let Some(constant) = schema.get("const")
        && constant != value
    {
        return Err(format!("{value} is not {constant}"));
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        return Err(format!("{value} is none of {words:?}"));
    }
    if let (Some("^\\$"), Some(text)) = (schema["pattern"].as_str(), value.as_str())
        && !text.starts_with('$')
    {
        return Err(format!("{text} is no parameter"));
    }
    if let Some(number) = value.as_f64() {
        let low = schema["exclusiveMinimum"].as_f64();
        if low.is_some_and(|low| number <= low) {
            return Err(format!("{number} is too small"));
        }
    }
    if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
        for item in list {
            valid(item, items, root)?;
        }
    }
    if let Some(table) = value.as_object() {
        for (key, entry) in table {
            match (&schema["properties"][key], &schema["additionalProperties"]) {
                (Value::Null, Value::Bool(false)) => return Err(format!("unknown key {key}")),
                (Value::Null, Value::Null | Value::Bool(true)) => {}
                (Value::Null, other) => valid(entry, other, root)?,
                (known, _) => valid(entry, known, root)?,
            }
        }
        for key in schema["required"].as_array().into_iter().flatten() {
            if !table.contains_key(key.as_str().unwrap_or_default()) {
                return Err(format!("{key} is missing"));
            }
        }
    }
    Ok(())
}

/// The plain values of a file; what TOML has and JSON has not does not occur.
fn json_of(value: &toml::de::DeValue) -> Value {
    use toml::de::DeValue;
    match value {
        DeValue::String(text) => json!(text),
        DeValue::Integer(digits) => json!(digits.as_str().parse::<i64>().unwrap()),
        DeValue::Float(digits) => json!(digits.as_str().parse::<f64>().unwrap()),
        DeValue::Boolean(value) => json!(value),
        DeValue::Datetime(_) => Value::Null,
        DeValue::Array(items) => items.iter().map(|item| json_of(item.get_ref())).collect(),
        DeValue::Table(table) => Value::Object(
            table
                .iter()
                .map(|(key, value)| (key.get_ref().to_string(), json_of(value.get_ref())))
                .collect(),
        ),
    }
}

fn read(text: &str) -> Value {
    let table = toml::de::DeTable::parse(text).unwrap().into_inner();
    json_of(&toml::de::DeValue::Table(table))
}

#[test]
fn every_sample_is_valid() {
    let schema = moreau_scene::schema();
    for path in samples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let found = valid(&read(&text), &schema, &schema);
        assert_eq!(found, Ok(()), "{path:?}");
    }
}

#[test]
fn descriptions_are_for_those_who_write_scenes() {
    let schema = moreau_scene::schema();
    let text = schema.to_string();
    assert!(!text.contains("```") && !text.contains("::"), "no Rust");
    let about = schema["$defs"]["Body"]["description"].as_str();
    assert_eq!(about, Some("A body."));
}

#[test]
fn words_may_be_parameters() {
    let schema = moreau_scene::schema();
    let text = "duration = \"$t\"\n[parameters]\nt = 1\ns = \"moreau_half_step\"\n[simulation]\nscheme = \"$s\"";
    assert!(moreau_scene::Scene::parse(text, "scene.toml").is_ok());
    assert_eq!(valid(&read(text), &schema, &schema), Ok(()));
}

#[test]
fn what_the_reader_refuses_the_schema_refuses() {
    let schema = moreau_scene::schema();
    for text in [
        "",
        "duration = -1",
        "duration = 1\ndurration = 2",
        "duration = 1\n[shapes.a]\ntype = \"sphere\"",
        "duration = 1\n[shapes.a]\ntype = \"spher\"\nradius = 1",
        "duration = 1\n[shapes.a]\ntype = \"sphere\"\nradius = true",
        "duration = 1\n[simulation]\nscheme = \"euler\"",
    ] {
        assert!(moreau_scene::Scene::parse(text, "scene.toml").is_err());
        assert!(valid(&read(text), &schema, &schema).is_err(), "{text}");
    }
}
