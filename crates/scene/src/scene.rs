//! A scene file, read and checked.

use crate::build;
use crate::check::check;
use crate::errors::{SceneError, SceneErrors};
use crate::expression::{Value, Values, resolve};
use crate::model::SceneFile;
use crate::nearest::suggestion;
use crate::run::Run;
use crate::schema;
use crate::tree::{self, Node, Source, Tree};
use std::path::{Path, PathBuf};

/// Files larger than this are no scenes: bodies in such numbers come from generators.
const LARGEST_FILE: u64 = 256 << 20;

/// A scene that is free of mistakes as far as its file alone can tell.
///
/// ```
/// use moreau_scene::Scene;
///
/// let text = "duration = 1\n[[bodies]]\nmass = 1\nshape = { type = 'sphere', radius = 0.1 }\n";
/// let scene = Scene::parse(text, "ball.toml")?;
/// assert_eq!(scene.file().bodies.len(), 1);
/// let run = scene.build()?;
/// assert_eq!(run.simulation.bodies().masses, [1.0]);
/// # Ok::<(), moreau_scene::SceneErrors>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    pub(crate) source: Source,
    pub(crate) root: Node,
    pub(crate) directory: PathBuf,
    values: Values,
    file: SceneFile,
}

impl Scene {
    /// Reads a file; meshes and tables that it names are looked for beside it.
    ///
    /// # Errors
    /// When the file cannot be read or has mistakes.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SceneErrors> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let refuse = |message: String| SceneError {
            file: name.clone(),
            place: None,
            message,
            help: None,
        };
        let size = std::fs::metadata(path)
            .map_err(|error| refuse(format!("the scene cannot be read: {error}")))?
            .len();
        if size > LARGEST_FILE {
            return Err(refuse(format!("the file has {size} bytes, which is no scene")).into());
        }
        let bytes = std::fs::read(path)
            .map_err(|error| refuse(format!("the scene cannot be read: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let (before, rest) = error.as_bytes().split_at(at);
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            refuse(format!(
                "the byte 0x{:02x} in line {line} is no text; expected TOML in UTF-8",
                rest.first().copied().unwrap_or_default()
            ))
        })?;
        let directory = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Self::from_text(text, name, directory)
    }

    /// Reads a text; `name` stands for the file in messages. Files that it names are looked for in the current
    /// directory.
    ///
    /// # Errors
    /// When the text has mistakes.
    pub fn parse(text: &str, name: &str) -> Result<Self, SceneErrors> {
        Self::from_text(text.to_string(), name.to_string(), PathBuf::new())
    }

    /// A scene that was built in Rust. It is written as the file it could have been read from, and checked as such: messages
    /// show the lines of that file. Files that it names are looked for in the current directory.
    ///
    /// ```
    /// use moreau_scene::Scene;
    /// use moreau_scene::model::SceneFile;
    ///
    /// assert!(Scene::from_model(&SceneFile::lasting(1.0)).is_ok());
    /// let refused = Scene::from_model(&SceneFile::lasting(f64::NAN)).unwrap_err();
    /// assert!(refused.to_string().contains("duration is NaN; expected a finite number"));
    /// ```
    ///
    /// # Errors
    /// When the scene has mistakes.
    pub fn from_model(file: &SceneFile) -> Result<Self, SceneErrors> {
        let name = "scene built in Rust";
        let text = toml::to_string(file).map_err(|error| SceneError {
            file: name.into(),
            place: None,
            message: format!("the scene cannot be written as a file: {error}"),
            help: None,
        })?;
        Self::from_text(text, name.into(), PathBuf::new())
    }

    fn from_text(text: String, name: String, directory: PathBuf) -> Result<Self, SceneErrors> {
        // A mark that some editors put before the first character is no part of the text.
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_string(),
            None => text,
        };
        let source = Source { name, text };
        let root = tree::parse(&source)?;
        let values = defaults(&root);
        let file = interpret(&source, &root, &values)?;
        Ok(Self {
            source,
            root,
            directory,
            values,
            file,
        })
    }

    /// The scene with other values of its parameters, each written as in the file.
    ///
    /// # Errors
    /// When the scene has no such parameter, a value is of another kind than the default, or the scene is wrong with it.
    pub fn with_parameters(&self, changes: &[(&str, &str)]) -> Result<Self, SceneErrors> {
        let mut values = self.values.clone();
        let mut errors = Vec::new();
        for (name, text) in changes {
            let known: Vec<&str> = self.values.keys().map(String::as_str).collect();
            let refuse = |message: String, help| {
                SceneError::new(&self.source, None, message).with_help(help)
            };
            let Some(slot) = values.get_mut(*name) else {
                let message = format!("the scene has no parameter '{name}'");
                let help = match known.as_slice() {
                    [] => Some("it has none at all".into()),
                    _ => suggestion(name, &known),
                };
                errors.push(refuse(message, help));
                continue;
            };
            let found = value_of(text);
            if matches!(slot, Value::Bool(_)) != matches!(found, Value::Bool(_)) {
                let right = match slot {
                    Value::Bool(_) => "true or false",
                    _ => "a number or a text, not a switch",
                };
                let message = format!("'{text}' is no value for '{name}'; expected {right}");
                errors.push(refuse(message, None));
                continue;
            }
            *slot = found;
        }
        if !errors.is_empty() {
            return Err(SceneErrors { list: errors });
        }
        // What follows from other parameters follows anew.
        for value in values.values_mut() {
            if let Value::Text { number, .. } = value {
                *number = None;
            }
        }
        resolve(&mut values);
        let file = interpret(&self.source, &self.root, &values)?;
        Ok(Self {
            values,
            file,
            ..self.clone()
        })
    }

    /// What the file says, with all expressions replaced by their values.
    pub fn file(&self) -> &SceneFile {
        &self.file
    }

    /// The names of the parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Makes the bodies and all that belongs to them.
    ///
    /// # Errors
    /// When a name leads nowhere, a file is missing, a number is impossible, or bodies overlap.
    pub fn build(&self) -> Result<Run, SceneErrors> {
        build::build(self)
    }
}

/// A value as it is written on a command line.
fn value_of(text: &str) -> Value {
    match text.trim() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        trimmed => match trimmed.parse() {
            Ok(number) => Value::Number(number),
            Err(_) => Value::Text {
                text: text.to_string(),
                number: None,
            },
        },
    }
}

/// The parameters as the file has them; what is no value is found out when the file is checked.
fn defaults(root: &Node) -> Values {
    let entries = root.get("parameters").map_or(&[][..], Node::entries);
    let mut values: Values = entries
        .iter()
        .filter_map(|entry| {
            let value = match &entry.node.value {
                Tree::Integer(number) => Value::Number(*number as f64),
                Tree::Float(number) => Value::Number(*number),
                Tree::Bool(value) => Value::Bool(*value),
                Tree::Text(text) => Value::Text {
                    text: text.clone(),
                    number: None,
                },
                _ => return None,
            };
            Some((entry.key.clone(), value))
        })
        .collect();
    resolve(&mut values);
    values
}

fn interpret(source: &Source, root: &Node, values: &Values) -> Result<SceneFile, SceneErrors> {
    let json = check(source, root, schema::strict(), values).map_err(|mut list| {
        list.sort_by_key(|error| {
            let place = error.place.as_ref();
            place.map_or((0, 0), |place| (place.line, place.column))
        });
        SceneErrors { list }
    })?;
    serde_json::from_value(json)
        .map_err(|error| SceneError::new(source, None, error.to_string()).into())
}
