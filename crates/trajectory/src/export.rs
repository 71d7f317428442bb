//! From one form of a trajectory to another.

use crate::TrajectoryError;
use crate::options::Format;
use crate::reader::TrajectoryReader;
use crate::vtk::{Array, PolyData};
use crate::writer::{PARTS, Part, Sink};
use moreau_files::AtomicFile;
use moreau_files::Fault;
use std::io::Write;
use std::path::Path;

/// Compression of what is exported.
const LEVEL: u32 = 6;

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Frames.
    pub frames: usize,
    /// Rows of the table, without its head; 0 for other formats.
    pub rows: usize,
}

/// Converts the trajectory at `from` (a `.pvd` file, a `.vtkhdf` file or the folder of one).
///
/// `to` is a file for [`Format::Csv`] (one row for each body and frame) and a folder for the other formats.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::shapes::{Shape, Sphere};
/// use moreau_dynamics::{bodies::NewBody, settings::SimulationSettings, simulation::Simulation};
/// use moreau_trajectory::{Format, TrajectoryOptions, TrajectoryWriter, export};
///
/// let mut simulation = Simulation::new(SimulationSettings::default());
/// let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.5)?));
/// simulation.add_body(NewBody::rigid(ball, 1000.0))?;
/// simulation.add_body(NewBody::rigid(ball, 1000.0).at(3.0 * DVec3::X))?;
/// let folder = tempfile::tempdir()?;
/// let mut writer = TrajectoryWriter::create(folder.path(), TrajectoryOptions::default())?;
/// writer.frame(&simulation)?;
/// let table = folder.path().join("bodies.csv");
/// let exported = export(folder.path(), &table, Format::Csv)?;
/// assert_eq!((exported.frames, exported.rows), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When `from` is no trajectory or is damaged, `to` cannot be written, or they are the same place.
pub fn export(
    from: impl AsRef<Path>,
    to: impl AsRef<Path>,
    format: Format,
) -> Result<Exported, TrajectoryError> {
    let (from, to) = (from.as_ref(), to.as_ref());
    let reader = TrajectoryReader::open(from)?;
    if format == Format::Csv {
        return to_csv(&reader, to);
    }
    let folder = if from.is_dir() {
        Some(from)
    } else {
        from.parent()
    };
    let folder = folder.map(|folder| {
        if folder == Path::new("") {
            Path::new(".")
        } else {
            folder
        }
    });
    let same = folder.and_then(|folder| folder.canonicalize().ok()) == to.canonicalize().ok();
    if same && to.exists() {
        let fault = Fault::of_whole(
            "the folder that the trajectory is read from",
            "another folder to write to",
        );
        return Err(TrajectoryError::content(to, fault));
    }
    let mut sink = Sink::open(to, format, LEVEL, None)?;
    for (frame, time) in reader.times().iter().enumerate() {
        let mut parts = Vec::new();
        let present = reader.parts(frame);
        for name in PARTS
            .into_iter()
            .filter(|name| present.iter().any(|p| p == name))
        {
            let data = if reader.unchanged(frame, name)? {
                None
            } else {
                Some(reader.read(frame, name)?)
            };
            parts.push(Part { name, data });
        }
        sink.append(*time, parts)?;
    }
    Ok(Exported {
        frames: reader.times().len(),
        rows: 0,
    })
}

fn to_csv(reader: &TrajectoryReader, to: &Path) -> Result<Exported, TrajectoryError> {
    let failed = |error| TrajectoryError::system(to, "write", error);
    let mut file = AtomicFile::create(to).map_err(failed)?;
    let mut columns: Option<String> = None;
    let mut rows = 0;
    for (frame, time) in reader.times().iter().enumerate() {
        let bodies = reader.read(frame, "bodies")?;
        let head = head(&bodies);
        match &columns {
            None => {
                writeln!(file, "{head}").map_err(failed)?;
                columns = Some(head);
            }
            Some(first) if *first != head => {
                let fault = Fault::of_whole(
                    format!("frame {frame} has the columns {head}"),
                    format!("those of the first frame: {first}"),
                );
                return Err(TrajectoryError::content(to, fault));
            }
            Some(_) => {}
        }
        let positions = Array::new("position", 3, bodies.points.clone());
        for body in 0..bodies.point_count() {
            write!(file, "{frame},{time:?}").map_err(failed)?;
            for array in std::iter::once(&positions).chain(&bodies.point_data) {
                for component in 0..array.components {
                    let text = array.values.text(body * array.components + component);
                    write!(file, ",{text}").map_err(failed)?;
                }
            }
            writeln!(file).map_err(failed)?;
            rows += 1;
        }
    }
    file.commit().map_err(failed)?;
    Ok(Exported {
        frames: reader.times().len(),
        rows,
    })
}

/// The names of the columns: vectors as `velocity x`, `velocity y`, `velocity z`.
fn head(bodies: &PolyData) -> String {
    let mut names = ["frame", "time", "x", "y", "z"].map(String::from).to_vec();
    for array in &bodies.point_data {
        match array.components {
            1 => names.push(array.name.clone()),
            count => {
                names.extend((0..count).map(
                    |component| match ["x", "y", "z", "w"].get(component) {
                        Some(letter) => format!("{} {letter}", array.name),
                        None => format!("{} {component}", array.name),
                    },
                ))
            }
        }
    }
    names.join(",")
}
