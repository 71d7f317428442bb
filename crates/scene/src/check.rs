//! A tree against the schema: unknown and missing keys, wrong kinds, numbers out of range. Expressions become numbers.

use crate::errors::SceneError;
use crate::expression::{Value, Values, evaluate};
use crate::nearest::suggestion;
use crate::tree::{Node, Source, Tree};
use serde_json::{Value as Json, json};
use std::ops::Range;

/// Checks a file and gives it as plain JSON, or all that is wrong with it.
pub(crate) fn check(
    source: &Source,
    root: &Node,
    schema: &Json,
    values: &Values,
) -> Result<Json, Vec<SceneError>> {
    let mut checker = Checker {
        source,
        schema,
        values,
        errors: Vec::new(),
    };
    let json = checker.node(root, schema, "the scene");
    if checker.errors.is_empty() {
        Ok(json)
    } else {
        Err(checker.errors)
    }
}

pub(crate) struct Checker<'a> {
    source: &'a Source,
    schema: &'a Json,
    values: &'a Values,
    errors: Vec<SceneError>,
}

/// "a" as it is, "the scene" without it at the front of a path.
pub(crate) fn join(path: &str, key: &str) -> String {
    match path {
        "the scene" => key.to_string(),
        _ => format!("{path}.{key}"),
    }
}

impl<'a> Checker<'a> {
    pub(crate) fn error(
        &mut self,
        span: Range<usize>,
        message: String,
        help: Option<String>,
    ) -> Json {
        let error = SceneError::new(self.source, Some(span), message);
        self.errors.push(error.with_help(help));
        Json::Null
    }

    /// Follows a reference into the definitions.
    fn resolve(&self, schema: &'a Json) -> &'a Json {
        let mut schema = schema;
        while let Some(name) = schema.get("$ref").and_then(Json::as_str) {
            match self.schema.pointer(name.trim_start_matches('#')) {
                Some(found) => schema = found,
                None => break,
            }
        }
        schema
    }

    /// All alternatives of a schema, with alternatives of alternatives in their place.
    pub(crate) fn alternatives(&self, schema: &'a Json) -> Vec<&'a Json> {
        let schema = self.resolve(schema);
        let choices = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(key));
        match choices.and_then(Json::as_array) {
            Some(choices) => choices.iter().flat_map(|c| self.alternatives(c)).collect(),
            None => vec![schema],
        }
    }

    pub(crate) fn node(&mut self, node: &Node, schema: &'a Json, path: &str) -> Json {
        let choices = self.alternatives(schema);
        let of_kind = |kind: &str| -> Vec<&'a Json> {
            let is = |choice: &&Json| choice.get("type").and_then(Json::as_str) == Some(kind);
            choices.iter().copied().filter(is).collect()
        };
        let (numbers, integers) = (of_kind("number"), of_kind("integer"));
        match &node.value {
            Tree::Table(_) => {
                let tables = of_kind("object");
                if !tables.is_empty() {
                    return self.table(node, &tables, path);
                }
            }
            Tree::Array(items) => {
                if let Some(list) = of_kind("array").first() {
                    return self.list(node, items, list, path);
                }
            }
            Tree::Text(text) => {
                let texts = of_kind("string");
                if !texts.is_empty() {
                    return self.text(node, text, &texts, path);
                }
                if !of_kind("boolean").is_empty()
                    && let Some(Value::Bool(value)) = text.strip_prefix('$').map_or_else(
                        || self.values.get(text.as_str()),
                        |name| self.values.get(name),
                    )
                {
                    return json!(value);
                }
                if let Some(schema) = numbers.first().or(integers.first()) {
                    return self.expression(node, text, schema, path);
                }
            }
            Tree::Integer(number) => {
                if let Some(schema) = integers.first() {
                    return self.integer(node, *number, schema, path);
                }
                if let Some(schema) = numbers.first() {
                    return self.number(node, *number as f64, schema, path);
                }
            }
            Tree::Float(number) => {
                if let Some(schema) = numbers.first().or(integers.first()) {
                    return self.number(node, *number, schema, path);
                }
            }
            Tree::Bool(value) => {
                if !of_kind("boolean").is_empty() {
                    return json!(value);
                }
            }
        }
        let list_of_tables = || {
            let items = self.alternatives(&of_kind("array").first()?["items"]);
            let tables = items.iter().any(|item| item["type"] == "object");
            let is_table = matches!(node.value, Tree::Table(_));
            (is_table && tables).then(|| format!("write [[{path}]] for each entry of a list"))
        };
        let help = list_of_tables();
        let expected = expected(&choices);
        let message = format!("expected {expected} for {path}, found {}", node.kind());
        self.error(node.span.clone(), message, help)
    }

    fn expression(&mut self, node: &Node, text: &str, schema: &Json, path: &str) -> Json {
        match evaluate(text, self.values) {
            Ok(number) => self.number(node, number, schema, path),
            Err(error) => {
                // Within the quotes, if nothing between them is written otherwise than it reads.
                let verbatim = node.span.len() == text.len() + 2;
                let span = if verbatim {
                    let at = node.span.start + 1 + error.at;
                    at..(at + 1).max(node.span.end - 1)
                } else {
                    node.span.clone()
                };
                let message = format!("{path} must be a number: {}", error.message);
                self.error(span, message, error.help)
            }
        }
    }

    fn number(&mut self, node: &Node, number: f64, schema: &Json, path: &str) -> Json {
        if !number.is_finite() {
            let message = format!("{path} is {number}; expected a finite number");
            return self.error(node.span.clone(), message, None);
        }
        if schema["type"] == "integer" {
            if number.fract() != 0.0 || number.abs() > 9e15 {
                let message = format!("{path} is {number}; expected a whole number");
                return self.error(node.span.clone(), message, None);
            }
            return self.integer(node, number as i64, schema, path);
        }
        match out_of_range(number, schema) {
            Some(right) => {
                let message = format!("{path} is {number}; it must be {right}");
                self.error(node.span.clone(), message, None)
            }
            None => json!(number),
        }
    }

    fn integer(&mut self, node: &Node, number: i64, schema: &Json, path: &str) -> Json {
        let largest = match schema["format"].as_str() {
            Some("uint32") => i64::from(u32::MAX),
            Some("uint16") => i64::from(u16::MAX),
            _ => i64::MAX,
        };
        let wrong = out_of_range(number as f64, schema);
        let wrong = wrong.or((number > largest).then(|| format!("at most {largest}")));
        match wrong {
            Some(right) => {
                let message = format!("{path} is {number}; it must be {right}");
                self.error(node.span.clone(), message, None)
            }
            None => json!(number),
        }
    }

    fn text(&mut self, node: &Node, text: &str, choices: &[&'a Json], path: &str) -> Json {
        let mut text = text;
        if let Some(name) = text.strip_prefix('$') {
            match self.values.get(name) {
                Some(Value::Text { text: value, .. }) => text = value,
                found => {
                    let message = match found {
                        None => format!("there is no parameter '{name}'"),
                        Some(_) => format!("{path} is text, the parameter '{name}' is not"),
                    };
                    let known: Vec<&str> = self.values.keys().map(String::as_str).collect();
                    let help = suggestion(name, &known);
                    return self.error(node.span.clone(), message, help);
                }
            }
        }
        let mut words = Vec::new();
        for choice in choices {
            match (&choice["const"], &choice["enum"]) {
                (Json::String(word), _) => words.push(word.as_str()),
                (_, Json::Array(list)) => words.extend(list.iter().filter_map(Json::as_str)),
                _ => return json!(text),
            }
        }
        if words.contains(&text) {
            return json!(text);
        }
        let message = format!("'{text}' is no {path}; expected {}", words.join(", "));
        self.error(node.span.clone(), message, suggestion(text, &words))
    }

    fn list(&mut self, node: &Node, items: &[Node], schema: &'a Json, path: &str) -> Json {
        let bound = |key: &str| schema[key].as_u64().map(|n| n as usize);
        let (least, most) = (bound("minItems"), bound("maxItems"));
        let count = items.len();
        if least.is_some_and(|n| count < n) || most.is_some_and(|n| count > n) {
            let right = match (least, most) {
                (Some(a), Some(b)) if a == b => format!("{a}"),
                (Some(a), None) => format!("at least {a}"),
                (None, Some(b)) => format!("at most {b}"),
                (a, b) => format!("{} to {}", a.unwrap_or(0), b.unwrap_or(usize::MAX)),
            };
            let message = format!("{path} has {count} entries; expected {right}");
            return self.error(node.span.clone(), message, None);
        }
        let values = items.iter().enumerate().map(|(index, item)| {
            let entry = format!("{path}[{index}]");
            self.node(item, &schema["items"], &entry)
        });
        Json::Array(values.collect())
    }
}

/// What a number must be that is not.
fn out_of_range(number: f64, schema: &Json) -> Option<String> {
    let bound = |key: &str| schema.get(key).and_then(Json::as_f64);
    if let Some(bound) = bound("exclusiveMinimum").filter(|bound| !(number > *bound)) {
        return Some(match bound {
            0.0 => "positive".into(),
            _ => format!("above {bound}"),
        });
    }
    if let Some(bound) = bound("minimum").filter(|bound| !(number >= *bound)) {
        return Some(format!("at least {bound}"));
    }
    if let Some(bound) = bound("maximum").filter(|bound| !(number <= *bound)) {
        return Some(format!("at most {bound}"));
    }
    None
}

/// The kinds of value that are allowed, in words.
fn expected(choices: &[&Json]) -> String {
    let mut words: Vec<&str> = Vec::new();
    for choice in choices {
        let word = match choice.get("type").and_then(Json::as_str) {
            Some("object") => "a table",
            Some("array") => "a list",
            Some("string") => "a string",
            Some("number") => "a number",
            Some("integer") => "a whole number",
            Some("boolean") => "true or false",
            _ => "something else",
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words.join(" or ")
}
