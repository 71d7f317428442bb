//! A TOML file as a tree that knows where in the file everything stands.

use crate::errors::{Place, SceneError, SceneErrors};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file and its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    pub name: String,
    pub text: String,
}

impl Source {
    /// Line and column of a range of bytes; a range over several lines ends with its first.
    pub fn place(&self, span: Range<usize>) -> Place {
        let floor = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (start, end) = (floor(span.start), floor(span.end));
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[start..]
            .find('\n')
            .map_or(self.text.len(), |at| start + at);
        let text = self.text[line_start..line_end].trim_end_matches('\r');
        let meant = &self.text[start..end.min(line_end).max(start)];
        Place {
            line: self.text[..start].matches('\n').count() + 1,
            column: self.text[line_start..start].chars().count() + 1,
            width: meant.trim_end().chars().count().max(1),
            // A tab would move the caret away from what it points at.
            text: text.replace('\t', " "),
        }
    }
}

/// A value and the bytes that it stands in.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub span: Range<usize>,
    pub value: Tree,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Text(String),
    Integer(i64),
    Float(f64),
    Bool(bool),
    Array(Vec<Node>),
    /// In the order of the file.
    Table(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub key: String,
    pub key_span: Range<usize>,
    pub node: Node,
}

impl Node {
    /// What the value is, in messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Tree::Text(_) => "a string",
            Tree::Integer(_) => "a whole number",
            Tree::Float(_) => "a number",
            Tree::Bool(_) => "true or false",
            Tree::Array(_) => "a list",
            Tree::Table(_) => "a table",
        }
    }

    /// The entries of a table; none for other values.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Tree::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let mut entries = self.entries().iter();
        entries.find(|entry| entry.key == key).map(|e| &e.node)
    }

    /// The bytes of what a path such as `bodies[3].shape` leads to; where it leads nowhere, those of the last thing
    /// on the way.
    pub fn find(&self, path: &str) -> Range<usize> {
        let (mut node, mut span) = (self, self.span.clone());
        for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
            let next = match (&node.value, step.strip_suffix(']')) {
                (Tree::Array(items), Some(index)) => {
                    index.parse().ok().and_then(|i: usize| items.get(i))
                }
                (_, _) => node.get(step),
            };
            let Some(next) = next else { break };
            node = next;
            span = next.span.clone();
        }
        span
    }
}

/// Reads a whole file.
pub(crate) fn parse(source: &Source) -> Result<Node, SceneErrors> {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    if errors.is_empty() {
        let span = table.span();
        return read_table(source, span, table.get_ref()).map_err(SceneErrors::from);
    }
    let list = errors
        .iter()
        .map(|error| {
            let message = error.message().trim_end().replace('\n', ", ");
            SceneError::new(source, error.span(), message)
        })
        .collect();
    Err(SceneErrors { list })
}

fn read_table(source: &Source, span: Range<usize>, table: &DeTable) -> Result<Node, SceneError> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table {
        entries.push(Entry {
            key: key.get_ref().to_string(),
            key_span: key.span(),
            node: read_value(source, value)?,
        });
    }
    entries.sort_by_key(|entry| entry.key_span.start);
    Ok(Node {
        span,
        value: Tree::Table(entries),
    })
}

fn read_value(source: &Source, value: &Spanned<DeValue>) -> Result<Node, SceneError> {
    let span = value.span();
    let refuse = |message: String| SceneError::new(source, Some(span.clone()), message);
    let tree = match value.get_ref() {
        DeValue::String(text) => Tree::Text(text.to_string()),
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
            .map(Tree::Integer)
            .map_err(|_| refuse(format!("{} is too large a whole number", digits.as_str())))?,
        DeValue::Float(digits) => digits
            .as_str()
            .parse()
            .map(Tree::Float)
            .map_err(|_| refuse(format!("{} is not a number", digits.as_str())))?,
        DeValue::Boolean(value) => Tree::Bool(*value),
        DeValue::Datetime(_) => return Err(refuse("a date means nothing in a scene".into())),
        DeValue::Array(items) => {
            let items = items.iter().map(|item| read_value(source, item));
            Tree::Array(items.collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => return read_table(source, span, table),
    };
    Ok(Node { span, value: tree })
}
