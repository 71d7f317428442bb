//! What is wrong with a scene: where, what, and what would be right.

use crate::tree::Source;
use std::fmt;
use std::ops::Range;

/// A place in a scene file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: usize,
    /// How many characters of the line are meant.
    pub width: usize,
    /// The whole line.
    pub text: String,
}

impl Place {
    /// Characters of a line that are shown.
    const SHOWN: usize = 160;
    /// Of these, characters before the place.
    const BEFORE: usize = 60;

    /// The part of the line that is shown, and column and width of the place in it.
    fn window(&self) -> (String, usize, usize) {
        let length = self.text.chars().count();
        if length <= Self::SHOWN {
            return (self.text.clone(), self.column, self.width.max(1));
        }
        let skipped = (self.column - 1).saturating_sub(Self::BEFORE);
        let shown: String = self.text.chars().skip(skipped).take(Self::SHOWN).collect();
        let front = if skipped > 0 { "…" } else { "" };
        let back = if skipped + Self::SHOWN < length {
            "…"
        } else {
            ""
        };
        let column = self.column - skipped;
        let width = self.width.clamp(1, Self::SHOWN + 1 - column);
        (
            format!("{front}{shown}{back}"),
            column + front.chars().count(),
            width,
        )
    }
}

/// One thing that is wrong, or suspicious.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The file, as it was named.
    pub file: String,
    /// Where in the file; `None` when no single place is to blame.
    pub place: Option<Place>,
    /// What was found, and what was expected.
    pub message: String,
    /// The nearest correct word, or another way out.
    pub help: Option<String>,
}

impl SceneError {
    pub(crate) fn new(source: &Source, span: Option<Range<usize>>, message: String) -> Self {
        Self {
            file: source.name.clone(),
            place: span.map(|span| source.place(span)),
            message,
            help: None,
        }
    }

    pub(crate) fn with_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// The error as text, begun by `word` ("error" or "warning").
    pub fn render(&self, word: &str) -> String {
        let mut text = format!("{word}: {}\n", self.message);
        match &self.place {
            None => text += &format!(" --> {}\n", self.file),
            Some(place) => {
                let number = place.line.to_string();
                let margin = " ".repeat(number.len());
                let (line, column, width) = place.window();
                let before = " ".repeat(column - 1);
                let carets = "^".repeat(width);
                text += &format!(
                    "{margin}--> {}:{}:{}\n{margin} |\n{number} | {line}\n{margin} | {before}{carets}\n",
                    self.file, place.line, place.column
                );
            }
        }
        if let Some(help) = &self.help {
            text += &format!("  = help: {help}\n");
        }
        text
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.render("error"))
    }
}

/// Everything that is wrong with a scene, as far as it could be read.
///
/// ```
/// let errors = moreau_scene::Scene::parse("duration = -1", "scene.toml").unwrap_err();
/// let place = errors.list[0].place.as_ref().expect("a place in the file");
/// assert_eq!((place.line, place.column), (1, 12));
/// assert!(errors.list[0].message.contains("positive"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneErrors {
    /// At least one, in the order of the file.
    pub list: Vec<SceneError>,
}

impl SceneErrors {
    /// So many are printed at most.
    const SHOWN: usize = 20;
}

impl From<SceneError> for SceneErrors {
    fn from(error: SceneError) -> Self {
        Self { list: vec![error] }
    }
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, error) in self.list.iter().take(Self::SHOWN).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            write!(f, "{error}")?;
        }
        if self.list.len() > Self::SHOWN {
            write!(f, "\nand {} more\n", self.list.len() - Self::SHOWN)?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}
impl std::error::Error for SceneError {}
