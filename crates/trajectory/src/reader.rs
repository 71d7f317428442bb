//! Reading a trajectory back.

use crate::TrajectoryError;
#[cfg(feature = "hdf5")]
use crate::hdf::HdfReader;
use crate::series::{COLLECTION, SeriesReader};
use crate::vtk::PolyData;
use crate::writer::HDF_FILE;
use moreau_files::Fault;
use std::path::Path;

#[derive(Debug)]
enum Source {
    Series(SeriesReader),
    #[cfg(feature = "hdf5")]
    Hdf(HdfReader),
}

/// Frames of a trajectory that this crate wrote.
#[derive(Debug)]
pub struct TrajectoryReader {
    source: Source,
    times: Vec<f64>,
}

impl TrajectoryReader {
    /// Opens a `.pvd` or `.vtkhdf` file, or the folder that one of them is in.
    ///
    /// # Errors
    /// When there is no trajectory, or it is not one of this crate.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, TrajectoryError> {
        let path = path.as_ref();
        let mut file = path.to_path_buf();
        if path.is_dir() {
            file = path.join(COLLECTION);
            let other = path.join(HDF_FILE);
            if !file.exists() && other.exists() {
                file = other;
            }
        }
        let source = match file.extension().and_then(|ending| ending.to_str()) {
            Some("pvd") => Source::Series(SeriesReader::open(&file)?),
            #[cfg(feature = "hdf5")]
            Some("vtkhdf") => Source::Hdf(HdfReader::open(&file)?),
            #[cfg(not(feature = "hdf5"))]
            Some("vtkhdf") => {
                return Err(TrajectoryError::content(&file, crate::writer::no_hdf5()));
            }
            _ => {
                let fault = Fault::of_whole(
                    "not the name of a trajectory",
                    "a .pvd file, a .vtkhdf file or the folder of one",
                );
                return Err(TrajectoryError::content(&file, fault));
            }
        };
        let times = match &source {
            Source::Series(reader) => reader.times(),
            #[cfg(feature = "hdf5")]
            Source::Hdf(reader) => reader.times(),
        };
        Ok(Self { source, times })
    }

    /// The times of all frames in s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The names of the parts of a frame: `bodies`, `surfaces`, `contacts`, `chains`, `fixed`.
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn parts(&self, frame: usize) -> Vec<String> {
        match &self.source {
            Source::Series(reader) => reader.parts(frame),
            #[cfg(feature = "hdf5")]
            Source::Hdf(reader) => reader.parts(),
        }
    }

    /// Whether a part is stored once for a frame and the one before.
    pub(crate) fn unchanged(&self, frame: usize, part: &str) -> Result<bool, TrajectoryError> {
        match &self.source {
            Source::Series(reader) => Ok(reader.unchanged(frame, part)),
            #[cfg(feature = "hdf5")]
            Source::Hdf(reader) => reader.unchanged(frame, part),
        }
    }

    /// One part of a frame.
    ///
    /// # Errors
    /// When there is no such part, or its file is damaged.
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn read(&self, frame: usize, part: &str) -> Result<PolyData, TrajectoryError> {
        match &self.source {
            Source::Series(reader) => reader.read(frame, part),
            #[cfg(feature = "hdf5")]
            Source::Hdf(reader) => reader.read(frame, part),
        }
    }
}
