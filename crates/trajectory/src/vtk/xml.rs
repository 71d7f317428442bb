//! Just enough XML to read back what this crate writes: tags with attributes, no text, no entities but five.

use moreau_files::Fault;
use std::collections::BTreeMap;

/// A tag: `<name key="value">`, `<name/>` or `</name>` (whose name begins with a slash).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tag {
    pub(super) name: String,
    attributes: BTreeMap<String, String>,
    /// The byte after the tag.
    pub(super) end: usize,
}

impl Tag {
    /// An attribute that must be there.
    pub(super) fn get(&self, key: &str) -> Result<&str, Fault> {
        self.attributes.get(key).map(String::as_str).ok_or_else(|| {
            let found = format!("<{}> without '{key}'", self.name);
            Fault::of_whole(found, format!("the attribute {key}=\"...\""))
        })
    }

    /// A number that must be there.
    pub(super) fn number<T: std::str::FromStr>(&self, key: &str) -> Result<T, Fault> {
        let text = self.get(key)?;
        text.parse().map_err(|_| {
            let found = format!("{key}=\"{text}\" in <{}>", self.name);
            Fault::of_whole(found, "a number")
        })
    }

    /// Whether an attribute has this value, or why not.
    pub(super) fn require(&self, key: &str, value: &str) -> Result<(), Fault> {
        let found = self.get(key)?;
        if found == value {
            return Ok(());
        }
        let what = format!("{key}=\"{found}\" in <{}>", self.name);
        Err(Fault::of_whole(what, format!("\"{value}\"")))
    }
}

/// The next tag at or after `start`; `None` when there is none.
pub(super) fn next_tag(text: &str, start: usize) -> Result<Option<Tag>, Fault> {
    let Some(open) = text[start..].find('<').map(|at| start + at) else {
        return Ok(None);
    };
    let cut = || Fault::of_whole("the file ends within a tag", "a complete file");
    let close = open + text[open..].find('>').ok_or_else(cut)?;
    let inside = text[open + 1..close].trim_end_matches(['/', '?']).trim();
    let (name, mut rest) = inside
        .split_once(char::is_whitespace)
        .unwrap_or((inside, ""));
    let mut attributes = BTreeMap::new();
    while !rest.trim().is_empty() {
        let odd = || {
            Fault::of_whole(
                format!("the tag <{inside}>"),
                "key=\"value\" after the name",
            )
        };
        let (key, after) = rest.split_once('=').ok_or_else(odd)?;
        let after = after.strip_prefix('"').ok_or_else(odd)?;
        let (value, after) = after.split_once('"').ok_or_else(odd)?;
        attributes.insert(key.trim().to_string(), unescape(value));
        rest = after;
    }
    Ok(Some(Tag {
        name: name.to_string(),
        attributes,
        end: close + 1,
    }))
}

/// Text for an attribute.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&")
}
