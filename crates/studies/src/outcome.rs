//! What a study finds.

use moreau_plots::{LinePlot, SolidsPicture};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// What a study finds.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The verdict on the whole, in a sentence with figures.
    pub summary: String,
    /// Published numbers beside ours.
    pub comparisons: Vec<Comparison>,
    /// Further numbers, without published ones.
    pub tables: Vec<Table>,
    /// The claims, and whether they hold.
    pub verdicts: Vec<Verdict>,
    /// Curves.
    pub figures: Vec<Figure>,
    /// Scenes as pictures.
    pub pictures: Vec<Picture>,
    /// Numbers for other programs.
    pub data: Vec<Data>,
    /// The scene files used.
    pub scenes: Vec<SceneText>,
}

impl Outcome {
    /// Adds a verdict.
    pub fn claim(&mut self, claim: impl Into<String>, holds: bool, figure: impl Into<String>) {
        self.verdicts.push(Verdict {
            claim: claim.into(),
            holds,
            figure: figure.into(),
        });
    }
}

/// A number, words where there is none, or nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Entry {
    /// Nothing is known.
    Nothing,
    /// A number.
    Number(f64),
    /// Words, such as "not within 500 000 iterations".
    Words(String),
}

impl From<f64> for Entry {
    fn from(value: f64) -> Self {
        Entry::Number(value)
    }
}

impl From<usize> for Entry {
    fn from(value: usize) -> Self {
        Entry::Number(value as f64)
    }
}

impl From<&str> for Entry {
    fn from(words: &str) -> Self {
        Entry::Words(words.into())
    }
}

impl From<String> for Entry {
    fn from(words: String) -> Self {
        Entry::Words(words)
    }
}

impl<T: Into<Entry>> From<Option<T>> for Entry {
    fn from(value: Option<T>) -> Self {
        value.map_or(Entry::Nothing, Into::into)
    }
}

/// Published numbers beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Which figure or table.
    pub title: String,
    /// The numbers.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// An empty one.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(
        &mut self,
        quantity: impl Into<String>,
        unit: &'static str,
        paper: impl Into<Entry>,
        ours: impl Into<Entry>,
    ) {
        self.rows.push(Row {
            quantity: quantity.into(),
            unit,
            paper: paper.into(),
            ours: ours.into(),
        });
    }
}

/// One number, published and ours.
#[derive(Clone, Debug)]
pub struct Row {
    /// What it is.
    pub quantity: String,
    /// Its unit; empty for plain numbers.
    pub unit: &'static str,
    /// The published one.
    pub paper: Entry,
    /// Ours.
    pub ours: Entry,
}

impl Row {
    /// Ours over the published one, where both are numbers.
    pub fn ratio(&self) -> Option<f64> {
        match (&self.ours, &self.paper) {
            (Entry::Number(ours), Entry::Number(paper)) if *paper != 0.0 => Some(ours / paper),
            _ => None,
        }
    }
}

/// With the ratio, which readers of the numbers should not have to work out.
impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Row", 5)?;
        fields.serialize_field("quantity", &self.quantity)?;
        fields.serialize_field("unit", self.unit)?;
        fields.serialize_field("paper", &self.paper)?;
        fields.serialize_field("ours", &self.ours)?;
        fields.serialize_field("ratio", &self.ratio())?;
        fields.end()
    }
}

/// Numbers in columns.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// What they are.
    pub title: String,
    /// The heads of the columns.
    pub heads: Vec<String>,
    /// Rows as long as the heads.
    pub rows: Vec<Vec<Entry>>,
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, heads: &[&str]) -> Self {
        Self {
            title: title.into(),
            heads: heads.iter().map(|head| head.to_string()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, entries: impl IntoIterator<Item = Entry>) {
        self.rows.push(entries.into_iter().collect());
    }
}

/// A claim, and whether it holds.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// What is claimed.
    pub claim: String,
    /// Whether it is so here.
    pub holds: bool,
    /// The figure that decides it.
    pub figure: String,
}

/// Curves in a file.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of the file, without extension.
    pub name: String,
    /// What one sees, for the page.
    pub caption: String,
    /// The curves.
    pub plot: LinePlot,
}

/// A scene as a picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The name of the file, without extension.
    pub name: String,
    /// What one sees, for the page.
    pub caption: String,
    /// The solids.
    pub solids: SolidsPicture,
}

/// Numbers in columns, for a CSV file.
#[derive(Clone, Debug)]
pub struct Data {
    /// The name of the file, without extension.
    pub name: String,
    /// The heads of the columns, with units.
    pub heads: Vec<String>,
    /// Rows as long as the heads.
    pub rows: Vec<Vec<f64>>,
}

/// A scene file.
#[derive(Clone, Debug)]
pub struct SceneText {
    /// The name of the file, without extension.
    pub name: String,
    /// What it holds.
    pub text: String,
}
