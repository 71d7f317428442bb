//! A table against the schema: which of several forms it is, and which of its keys are unknown or missing.

use crate::check::{Checker, join};
use crate::nearest::{nearest, suggestion};
use crate::tree::{Node, Tree};
use serde_json::{Map, Value as Json};

impl<'a> Checker<'a> {
    pub(crate) fn table(&mut self, node: &Node, choices: &[&'a Json], path: &str) -> Json {
        let Some(schema) = self.choose(node, choices, path) else {
            return Json::Null;
        };
        let properties = schema.get("properties").and_then(Json::as_object);
        let others = schema.get("additionalProperties");
        let mut result = Map::new();
        let mut misspelt = Vec::new();
        for entry in node.entries() {
            let known = properties.and_then(|all| all.get(&entry.key));
            let Some(below) = known.or(others.filter(|other| other.is_object())) else {
                let names = properties.into_iter().flat_map(|all| all.keys());
                let mut names: Vec<&str> = names.map(String::as_str).collect();
                // What is there already is not what was meant.
                names.retain(|name| node.get(name).is_none());
                misspelt.extend(nearest(&entry.key, names.iter().copied()));
                let (message, help) = match self.second_form(node, &entry.key, schema, choices) {
                    Some(other) => (
                        format!("{path} has both {other} and '{}'; expected one", entry.key),
                        None,
                    ),
                    None => {
                        let help = self.deeper(&entry.key, &names, properties);
                        let message = format!("unknown key '{}' in {path}", entry.key);
                        (message, help.or_else(|| suggestion(&entry.key, &names)))
                    }
                };
                self.error(entry.key_span.clone(), message, help);
                continue;
            };
            let value = self.node(&entry.node, below, &join(path, &entry.key));
            result.insert(entry.key.clone(), value);
        }
        let required = schema.get("required").and_then(Json::as_array);
        let missing: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Json::as_str)
            .filter(|key| node.get(key).is_none() && !misspelt.contains(key))
            .collect();
        if !missing.is_empty() {
            let message = format!("{path} lacks {}", missing.join(", "));
            let describe = |key: &&str| {
                let text = schema["properties"][key]["description"].as_str()?;
                Some(format!("{key}: {}", text.replace('\n', " ")))
            };
            let help: Vec<String> = missing.iter().filter_map(describe).collect();
            let help = (!help.is_empty()).then(|| help.join("; "));
            self.error(node.span.clone(), message, help);
        }
        Json::Object(result)
    }

    /// What a table says already, quoted, when a key belongs to another form of the same thing.
    fn second_form(
        &self,
        node: &Node,
        key: &str,
        chosen: &Json,
        choices: &[&Json],
    ) -> Option<String> {
        let untagged = choices.iter().all(|c| c["properties"]["type"].is_null());
        let elsewhere = choices.iter().any(|c| !c["properties"][key].is_null());
        let entries = node.entries().iter().map(|entry| entry.key.as_str());
        let own: Vec<String> = entries
            .filter(|own| !chosen["properties"][own].is_null())
            .map(|own| format!("'{own}'"))
            .collect();
        (untagged && elsewhere && !own.is_empty()).then(|| own.join(", "))
    }

    /// "did you mean 'simulation.gravity'?", when a key of a table below is more like a word than those that are meant here.
    fn deeper(
        &self,
        word: &str,
        names: &[&str],
        properties: Option<&'a Map<String, Json>>,
    ) -> Option<String> {
        let mut below: Vec<(&str, &str)> = Vec::new();
        for (table, schema) in properties.into_iter().flatten() {
            for choice in self.alternatives(schema) {
                let keys = choice["properties"].as_object();
                below.extend(
                    keys.into_iter()
                        .flatten()
                        .map(|(key, _)| (&**table, &**key)),
                );
            }
        }
        let keys = names
            .iter()
            .copied()
            .chain(below.iter().map(|(_, key)| *key));
        let found = nearest(word, keys).filter(|found| !names.contains(found))?;
        let (table, _) = below.iter().find(|(_, key)| *key == found)?;
        Some(format!("did you mean '{table}.{found}'?"))
    }

    /// The alternative that a table is: by its `type`, or by the keys that it has.
    fn choose(&mut self, node: &Node, choices: &[&'a Json], path: &str) -> Option<&'a Json> {
        if let [only] = choices {
            return Some(only);
        }
        let tag = |choice: &'a Json| choice["properties"]["type"]["const"].as_str();
        let tags: Vec<&str> = choices.iter().filter_map(|c| tag(c)).collect();
        if tags.len() < choices.len() {
            let fits = |choice: &&&Json| {
                let keys = choice["properties"].as_object().into_iter().flatten();
                let keys: Vec<&str> = keys.map(|(key, _)| key.as_str()).collect();
                let count = |is: &dyn Fn(&str) -> bool| {
                    let entries = node.entries().iter();
                    entries.filter(|entry| is(&entry.key)).count()
                };
                let known = count(&|key| keys.contains(&key));
                // Of a form whose keys are all misspelt, the likeness is left.
                (
                    known,
                    count(&|key| nearest(key, keys.iter().copied()).is_some()),
                )
            };
            // The first of equals, so that messages speak of the most usual form.
            return choices.iter().rev().max_by_key(fits).copied();
        }
        match node.get("type").map(|found| (&found.value, found)) {
            Some((Tree::Text(word), found)) => {
                let chosen = choices.iter().find(|c| tag(c) == Some(word.as_str()));
                if chosen.is_none() {
                    let message = format!(
                        "'{word}' is no type for {path}; expected {}",
                        tags.join(", ")
                    );
                    let help = suggestion(word, &tags);
                    self.error(found.span.clone(), message, help);
                }
                chosen.copied()
            }
            Some((_, found)) => {
                let message = format!("the type of {path} must be a string");
                self.error(found.span.clone(), message, None);
                None
            }
            None => {
                let message = format!("{path} lacks its type; expected {}", tags.join(", "));
                self.error(node.span.clone(), message, None);
                None
            }
        }
    }
}
