//! What a trajectory holds.

use moreau_files::Fault;

/// The form of a trajectory on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A folder of `.vtp` files, a few for each frame, and one `.pvd` that lists them. Every frame is complete or
    /// absent, whatever happens to the program.
    #[default]
    Series,
    /// One growing `.vtkhdf` file. Needs the feature `hdf5`.
    VtkHdf,
    /// One row for each body and frame. Only to export to.
    Csv,
}

impl Format {
    /// Whether this program can write it.
    ///
    /// # Errors
    /// When it was built without what the format needs.
    pub fn check(self) -> Result<(), Fault> {
        #[cfg(not(feature = "hdf5"))]
        if self == Format::VtkHdf {
            return Err(crate::writer::no_hdf5());
        }
        Ok(())
    }
}

/// Which numbers are written for each body beside its position and tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// `size`: the radius of a sphere, else the smallest half-width; 0 for walls without one. Float32.
    pub size: bool,
    /// `shape`: index into the shape table, −1 without a shape. Int32.
    pub shape: bool,
    /// `material`: index into the materials. Int32.
    pub material: bool,
    /// `kind`: 0 rigid, 1 fixed, 2 driven. UInt8.
    pub kind: bool,
    /// `velocity` of the centre of mass in m/s. 3 Float32.
    pub velocity: bool,
    /// `angular velocity` in rad/s. 3 Float32.
    pub angular_velocity: bool,
    /// `orientation`: a unit quaternion x, y, z, w. 4 Float32.
    pub orientation: bool,
    /// `contact force magnitude`: the sum over all contacts in N. Float32.
    pub contact_force: bool,
}

impl Default for Fields {
    /// All of them.
    fn default() -> Self {
        Self {
            size: true,
            shape: true,
            material: true,
            kind: true,
            velocity: true,
            angular_velocity: true,
            orientation: true,
            contact_force: true,
        }
    }
}

/// What a trajectory holds.
#[derive(Clone, Debug, PartialEq)]
pub struct TrajectoryOptions {
    /// The form on disk. Default: a series of `.vtp` files.
    pub format: Format,
    /// Numbers for each body. Default: all.
    pub fields: Fields,
    /// 0 (none) to 9 (smallest). Default 2: higher levels save less than one per cent, and 6 and above take longer.
    pub compression: u32,
    /// Whether the surfaces of bodies are written as triangles. Default true.
    pub surfaces: bool,
    /// Spheres are among the surfaces only when there are fewer than this. Default 20 000; 0 for never.
    pub most_spheres: usize,
    /// Pieces around a curved surface. Default 24; spheres take 8.
    pub segments: usize,
    /// Whether contacts are written. Default true.
    pub contacts: bool,
    /// Whether force chains are written: lines between the centres of bodies that press on each other. Default false.
    pub chains: bool,
}

impl Default for TrajectoryOptions {
    fn default() -> Self {
        Self {
            format: Format::Series,
            fields: Fields::default(),
            compression: 2,
            surfaces: true,
            most_spheres: 20_000,
            segments: 24,
            contacts: true,
            chains: false,
        }
    }
}

impl TrajectoryOptions {
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.compression > 9 {
            return Err(Fault::of_whole(
                format!("compression is {}", self.compression),
                "0 (none) to 9 (smallest)",
            ));
        }
        if self.segments < 3 {
            return Err(Fault::of_whole(
                format!("segments is {}", self.segments),
                "at least 3",
            ));
        }
        Ok(())
    }
}
