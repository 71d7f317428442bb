//! Writing a trajectory while a simulation runs.

use crate::TrajectoryError;
use crate::frame;
#[cfg(feature = "hdf5")]
use crate::hdf::HdfWriter;
use crate::options::{Format, TrajectoryOptions};
use crate::reader::TrajectoryReader;
use crate::series::{COLLECTION, SeriesWriter};
use crate::surfaces::SurfaceMaker;
use crate::vtk::PolyData;
use moreau_dynamics::simulation::Simulation;
use moreau_files::Fault;
use std::path::{Path, PathBuf};

/// The name of the file of a trajectory in VTKHDF.
pub(crate) const HDF_FILE: &str = "trajectory.vtkhdf";

/// What was written for a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameInfo {
    /// Number of the frame, from 0.
    pub number: u64,
    /// Its time in s.
    pub time: f64,
    /// The files that hold it, without those of earlier frames that it refers to.
    pub files: Vec<PathBuf>,
    /// Bytes that the frame took.
    pub bytes: u64,
}

/// One kind of thing in a frame.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    /// `None` when it is what it was in the frame before.
    pub(crate) data: Option<PolyData>,
}

/// The part that is written once.
const FIXED: &str = "fixed";

/// The parts that a frame can have.
pub(crate) const PARTS: [&str; 5] = ["bodies", "surfaces", "contacts", "chains", FIXED];

/// Where frames go.
#[derive(Debug)]
pub(crate) enum Sink {
    Series(SeriesWriter),
    #[cfg(feature = "hdf5")]
    Hdf(Box<HdfWriter>),
}

impl Sink {
    /// A sink; with a time it continues what is there, else it begins anew.
    pub(crate) fn open(
        directory: &Path,
        format: Format,
        compression: u32,
        after: Option<f64>,
    ) -> Result<Self, TrajectoryError> {
        match (format, after) {
            (Format::Series, None) => {
                let series = SeriesWriter::create(directory, compression)?;
                discard(&directory.join(HDF_FILE))?;
                Ok(Sink::Series(series))
            }
            (Format::Series, Some(time)) => {
                SeriesWriter::resume(directory, time, compression).map(Sink::Series)
            }
            #[cfg(feature = "hdf5")]
            (Format::VtkHdf, None) => {
                std::fs::create_dir_all(directory).map_err(|error| {
                    TrajectoryError::system(directory, "make the folder", error)
                })?;
                let file = HdfWriter::create(&directory.join(HDF_FILE), compression)?;
                SeriesWriter::discard(directory)?;
                Ok(Sink::Hdf(Box::new(file)))
            }
            #[cfg(feature = "hdf5")]
            (Format::VtkHdf, Some(time)) => {
                let file = HdfWriter::resume(&directory.join(HDF_FILE), time, compression)?;
                Ok(Sink::Hdf(Box::new(file)))
            }
            #[cfg(not(feature = "hdf5"))]
            (Format::VtkHdf, _) => Err(TrajectoryError::content(directory, no_hdf5())),
            (Format::Csv, _) => {
                let fault = Fault::of_whole(
                    "the format CSV, which can only be exported to",
                    "a series or VTKHDF",
                );
                Err(TrajectoryError::content(directory, fault))
            }
        }
    }

    pub(crate) fn append(
        &mut self,
        time: f64,
        parts: Vec<Part>,
    ) -> Result<FrameInfo, TrajectoryError> {
        match self {
            Sink::Series(writer) => writer.append(time, parts),
            #[cfg(feature = "hdf5")]
            Sink::Hdf(writer) => writer.append(time, parts),
        }
    }

    fn last_time(&self) -> Option<f64> {
        match self {
            Sink::Series(writer) => writer.last_time(),
            #[cfg(feature = "hdf5")]
            Sink::Hdf(writer) => writer.last_time(),
        }
    }
}

#[cfg(not(feature = "hdf5"))]
pub(crate) fn no_hdf5() -> Fault {
    Fault::of_whole(
        "VTKHDF, which this program was built without",
        "the format vtp, or a program built with `--features hdf5`",
    )
}

/// Removes a file of an earlier trajectory, if there is one.
pub(crate) fn discard(path: &Path) -> Result<(), TrajectoryError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(TrajectoryError::system(path, "remove", error))
        }
        _ => Ok(()),
    }
}

/// Writes frames of a simulation.
///
/// With [`Format::Series`] a frame is up to five files: `bodies-000123.vtp` (a point for each body),
/// `surfaces-000123.vtp` (triangles), `contacts-000123.vtp` (a point for each contact), `chains-000123.vtp` (lines), and
/// `fixed-….vtp` with the surfaces of the fixed bodies, written once and again only when one of them changes.
/// `trajectory.pvd` lists them all and is rewritten after every frame, so that it can be opened while the run goes on.
/// Every file is complete or absent. The list grows by about 100 bytes for each file of each frame.
///
/// With [`Format::VtkHdf`] all frames are in `trajectory.vtkhdf`. It is closed between frames, so that it can be opened
/// while the run goes on, also by programs that keep it open; to see later frames they open it again.
///
/// What a frame takes on disk is in the documentation of this crate.
///
/// ```
/// use glam::DVec3;
/// use moreau_collision::shapes::{Shape, Sphere};
/// use moreau_dynamics::{bodies::NewBody, settings::SimulationSettings, simulation::Simulation};
/// use moreau_trajectory::{TrajectoryOptions, TrajectoryReader, TrajectoryWriter};
///
/// let mut simulation = Simulation::new(SimulationSettings::default());
/// let ball = simulation.add_shape(Shape::Sphere(Sphere::new(0.5)?));
/// simulation.add_body(NewBody::rigid(ball, 1000.0).at(DVec3::Z))?;
/// let folder = tempfile::tempdir()?;
/// let mut writer = TrajectoryWriter::create(folder.path(), TrajectoryOptions::default())?;
/// for _ in 0..3 {
///     writer.frame(&simulation)?;
///     simulation.step()?;
/// }
/// let reader = TrajectoryReader::open(folder.path())?;
/// assert_eq!(reader.times().len(), 3);
/// assert_eq!(reader.read(0, "bodies")?.points.len(), 3, "one point of three numbers");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TrajectoryWriter {
    directory: PathBuf,
    options: TrajectoryOptions,
    sink: Sink,
    surfaces: SurfaceMaker,
}

impl TrajectoryWriter {
    /// Begins a trajectory in a folder, which is made if need be. One that is there already is replaced, whatever its
    /// format.
    ///
    /// # Errors
    /// When the folder cannot be written to, or an option is impossible.
    pub fn create(
        directory: impl AsRef<Path>,
        options: TrajectoryOptions,
    ) -> Result<Self, TrajectoryError> {
        Self::open(directory.as_ref(), options, None)
    }

    /// Continues the trajectory in a folder after `time`: frames later than that are dropped, the one at that time is
    /// kept.
    ///
    /// # Errors
    /// When there is no trajectory of that format, or an option is impossible.
    pub fn resume(
        directory: impl AsRef<Path>,
        time: f64,
        options: TrajectoryOptions,
    ) -> Result<Self, TrajectoryError> {
        Self::open(directory.as_ref(), options, Some(time))
    }

    fn open(
        directory: &Path,
        options: TrajectoryOptions,
        after: Option<f64>,
    ) -> Result<Self, TrajectoryError> {
        options
            .check()
            .map_err(|fault| TrajectoryError::content(directory, fault))?;
        let mut writer = Self {
            sink: Sink::open(directory, options.format, options.compression, after)?,
            directory: directory.to_path_buf(),
            surfaces: SurfaceMaker::new(&options),
            options,
        };
        if writer.last_time().is_some() && writer.options.surfaces {
            let reader = TrajectoryReader::open(writer.file())?;
            let last = reader.times().len() - 1;
            if reader.parts(last).iter().any(|part| part == FIXED) {
                writer.surfaces.continue_after(reader.read(last, FIXED)?);
            }
        }
        Ok(writer)
    }

    /// The file that viewers open.
    pub fn file(&self) -> PathBuf {
        self.directory.join(match self.options.format {
            Format::VtkHdf => HDF_FILE,
            _ => COLLECTION,
        })
    }

    /// The time of the last frame in s.
    pub fn last_time(&self) -> Option<f64> {
        self.sink.last_time()
    }

    /// Writes the state of a simulation as the next frame.
    ///
    /// # Errors
    /// When a file cannot be written, or the time is not later than that of the last frame. The frames before stay as
    /// they are.
    pub fn frame(&mut self, simulation: &Simulation) -> Result<FrameInfo, TrajectoryError> {
        let time = simulation.time();
        let fault = |fault| TrajectoryError::content(&self.directory, fault);
        if let Some(last) = self.last_time().filter(|last| !(time > *last)) {
            return Err(fault(Fault::of_whole(
                format!("a frame at {time} s after one at {last} s"),
                "a later time (to go back, resume the trajectory from the time to go back to)",
            )));
        }
        let options = &self.options;
        let mut parts = vec![Part {
            name: "bodies",
            data: Some(frame::bodies(simulation, &options.fields)),
        }];
        let mut add = |name, data| parts.push(Part { name, data });
        if options.surfaces {
            add(
                "surfaces",
                Some(self.surfaces.moving(simulation).map_err(fault)?),
            );
        }
        if options.contacts {
            add("contacts", Some(frame::contacts(simulation)));
        }
        if options.chains {
            add("chains", Some(frame::chains(simulation)));
        }
        if options.surfaces {
            add(FIXED, self.surfaces.fixed(simulation).map_err(fault)?);
        }
        self.sink.append(time, parts)
    }
}
