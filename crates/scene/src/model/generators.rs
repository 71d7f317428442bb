//! Bodies in numbers.

use super::{Region, Rotation, ShapeRef};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Makes rigid bodies: before the first step, or layer by layer.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Distribution, Generator, MixEntry, SceneFile};
///
/// let ball = MixEntry {
///     radius: Some(Distribution::Constant(0.1)),
///     density: Some(1000.0),
///     ..MixEntry::default()
/// };
/// let mut file = SceneFile::lasting(1.0);
/// file.generators.push(Generator::Grid {
///     name: Some("ball".into()),
///     mix: vec![ball],
///     counts: [4, 3, 2],
///     spacing: [0.25; 3],
///     origin: [0.0; 3],
///     jitter: 0.0,
///     velocity: [0.0; 3],
/// });
/// let run = Scene::from_model(&file)?.build()?;
/// assert_eq!(run.simulation.bodies().find("ball.23"), Some(23));
/// # Ok::<(), moreau_scene::SceneErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Generator {
    /// On a grid.
    Grid {
        /// The bodies get this name and their number: `name.0`, `name.1`, … Default: no names.
        #[serde(default)]
        name: Option<String>,
        /// What stands there; with several kinds, each place draws one.
        #[schemars(length(min = 1))]
        mix: Vec<MixEntry>,
        /// How many along x, y and z.
        counts: [u32; 3],
        /// Distance of the centres along x, y and z, in m.
        spacing: [f64; 3],
        /// The first body, in m: the corner with the smallest coordinates where the spacing is positive.
        origin: [f64; 3],
        /// Every body is moved by up to this along each axis, at random, in m. Default 0.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        jitter: f64,
        /// First velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
    },
    /// At random places, without overlap, among what is there already.
    ///
    /// ```
    /// use moreau_scene::Scene;
    /// use moreau_scene::model::{Distribution, DistributionKind, Generator, MixEntry, Region, SceneFile};
    ///
    /// let sizes = DistributionKind::Uniform { min: 0.04, max: 0.06 };
    /// let radius = Some(Distribution::Random(sizes));
    /// let mut file = SceneFile::lasting(1.0);
    /// file.generators.push(Generator::Fill {
    ///     name: None,
    ///     mix: vec![MixEntry { radius, density: Some(1000.0), ..MixEntry::default() }],
    ///     region: Region::Box { lower: [0.0; 3], upper: [1.0; 3] },
    ///     fraction: Some(0.2),
    ///     count: None,
    ///     velocity: [0.0; 3],
    /// });
    /// let run = Scene::from_model(&file)?.build()?;
    /// let mass: f64 = run.simulation.bodies().masses.iter().sum();
    /// assert!((mass - 200.0).abs() < 1.0, "a fifth of a cubic metre");
    /// # Ok::<(), moreau_scene::SceneErrors>(())
    /// ```
    Fill {
        /// The bodies get this name and their number: `name.0`, `name.1`, … Default: no names.
        #[serde(default)]
        name: Option<String>,
        /// What is drawn.
        #[schemars(length(min = 1))]
        mix: Vec<MixEntry>,
        /// Where: a box, a cylinder or a sphere. The bodies lie in it with all they are.
        region: Region,
        /// The share of the region's volume that is filled. Random places reach about 0.3; beyond, let bodies fall.
        #[serde(default)]
        #[schemars(extend("exclusiveMinimum" = 0), range(max = 1.0))]
        fraction: Option<f64>,
        /// The number of bodies, instead.
        #[serde(default)]
        count: Option<u64>,
        /// First velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
    },
    /// Spheres from a file with a line `x y z r` for each, in m; commas or spaces between, a first line of words is
    /// skipped.
    ///
    /// ```
    /// use moreau_scene::Scene;
    /// use moreau_scene::model::{Generator, SceneFile};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("grains.csv");
    /// std::fs::write(&path, "x y z r\n0 0 0 0.1\n0.3, 0, 0, 0.2\n")?;
    /// let mut file = SceneFile::lasting(1.0);
    /// file.generators.push(Generator::Csv {
    ///     name: Some("grain".into()),
    ///     path: path.display().to_string(),
    ///     density: Some(1000.0),
    ///     material: None,
    ///     offset: [0.0, 0.0, 1.0],
    ///     velocity: [0.0; 3],
    /// });
    /// let run = Scene::from_model(&file)?.build()?;
    /// let second = run.simulation.bodies().poses[1].position;
    /// assert_eq!(second.to_array(), [0.3, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Csv {
        /// The bodies get this name and their number: `name.0`, `name.1`, … Default: no names.
        #[serde(default)]
        name: Option<String>,
        /// Relative to the scene file.
        path: String,
        /// In kg/m³. Default: that of the material.
        #[serde(default)]
        #[schemars(extend("exclusiveMinimum" = 0))]
        density: Option<f64>,
        /// The name of their material. Default: `default`.
        #[serde(default)]
        material: Option<String>,
        /// Moved by this, in m.
        #[serde(default)]
        offset: [f64; 3],
        /// First velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
    },
    /// A solid made of equal spheres that touch; the cohesion of their material holds them together.
    ///
    /// ```
    /// use moreau_scene::Scene;
    /// use moreau_scene::model::{Generator, Lattice, Material, SceneFile, Shape, ShapeRef};
    ///
    /// let mut file = SceneFile::lasting(1.0);
    /// let snow = Material { cohesion: 5.0, density: Some(500.0), ..Material::default() };
    /// file.materials.insert("snow".into(), snow);
    /// file.generators.push(Generator::Bonded {
    ///     name: None,
    ///     // A mesh would do as well.
    ///     shape: ShapeRef::Inline(Box::new(Shape::Sphere { radius: 0.5 })),
    ///     radius: 0.05,
    ///     lattice: Lattice::Hexagonal,
    ///     density: None,
    ///     material: "snow".into(),
    ///     position: [0.0, 0.0, 1.0],
    ///     rotation: None,
    ///     velocity: [0.0; 3],
    /// });
    /// let run = Scene::from_model(&file)?.build()?;
    /// assert!(run.simulation.bodies().len() > 300);
    /// # Ok::<(), moreau_scene::SceneErrors>(())
    /// ```
    Bonded {
        /// The bodies get this name and their number: `name.0`, `name.1`, … Default: no names.
        #[serde(default)]
        name: Option<String>,
        /// The solid that is filled; spheres lie in it with all they are.
        shape: ShapeRef,
        /// Of the spheres, in m.
        #[schemars(extend("exclusiveMinimum" = 0))]
        radius: f64,
        /// How they are packed. Default: cubic.
        #[serde(default)]
        lattice: Lattice,
        /// In kg/m³. Default: that of the material.
        #[serde(default)]
        #[schemars(extend("exclusiveMinimum" = 0))]
        density: Option<f64>,
        /// The name of a material with cohesion.
        material: String,
        /// Where the origin of the solid is, in m.
        #[serde(default)]
        position: [f64; 3],
        /// How it is turned.
        #[serde(default)]
        rotation: Option<Rotation>,
        /// First velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
    },
    /// Level layers that come one after the other while the scene runs. A body for which there is no room waits.
    ///
    /// ```
    /// use moreau_scene::Scene;
    /// use moreau_scene::model::{Arrangement, Distribution, Generator, MixEntry, Region, SceneFile};
    ///
    /// let radius = Some(Distribution::Constant(0.1));
    /// let mut file = SceneFile::lasting(0.25);
    /// file.simulation.time_step = Some(0.01);
    /// file.generators.push(Generator::Layers {
    ///     name: None,
    ///     mix: vec![MixEntry { radius, density: Some(1000.0), ..MixEntry::default() }],
    ///     region: Region::Box { lower: [0.0; 3], upper: [1.0; 3] },
    ///     spacing: 0.25,
    ///     arrangement: Arrangement::Grid,
    ///     every: 0.2,
    ///     layers: 2,
    ///     from: 0.0,
    ///     on_top: false,
    ///     velocity: [0.0, 0.0, -2.0],
    /// });
    /// let mut run = Scene::from_model(&file)?.build()?;
    /// run.step()?;
    /// let layer = run.simulation.bodies().len();
    /// while !run.is_finished() {
    ///     run.step()?;
    /// }
    /// assert_eq!(run.simulation.bodies().len(), 2 * layer);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Layers {
        /// The bodies get this name and their number, as they come: `name.0`, `name.1`, … Because they come while the scene runs,
        /// no joint, force or sensor of the scene can have these names. Default: no names.
        #[serde(default)]
        name: Option<String>,
        /// What stands at the places; with several kinds, each place draws one.
        #[schemars(length(min = 1))]
        mix: Vec<MixEntry>,
        /// A box, a cylinder or a sphere. The first layer lies at the lower end of it, with all its bodies inside.
        region: Region,
        /// Distance of the places in a layer, in m; at random places the smallest distance.
        #[schemars(extend("exclusiveMinimum" = 0))]
        spacing: f64,
        /// How the places of a layer lie. Default: grid.
        #[serde(default)]
        arrangement: Arrangement,
        /// Seconds from a layer to the next.
        #[schemars(extend("exclusiveMinimum" = 0))]
        every: f64,
        /// How many layers come.
        #[schemars(range(min = 1))]
        layers: u64,
        /// When the first one comes, in s. Default 0.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        from: f64,
        /// Whether a layer is lifted (along z) above the rigid bodies that are in its way. Default: false, all layers come
        /// at the height of the first.
        #[serde(default)]
        on_top: bool,
        /// First velocity in m/s.
        #[serde(default)]
        velocity: [f64; 3],
    },
}

/// How the places of a layer lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Arrangement {
    /// In rows, the same in each layer.
    #[default]
    Grid,
    /// At random, as many as chance finds room for.
    Random,
}

/// A kind of body in a mix. One of `shape` and `radius` must be there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MixEntry {
    /// Its shape.
    #[serde(default)]
    pub shape: Option<ShapeRef>,
    /// The shape is enlarged by this. Default 1.
    #[serde(default)]
    pub scale: Option<Distribution>,
    /// Spheres of this radius, in m, instead of a shape.
    #[serde(default)]
    pub radius: Option<Distribution>,
    /// How often, in proportion to the others. Default 1.
    #[serde(default = "one")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub weight: f64,
    /// In kg/m³. Default: that of the material.
    #[serde(default)]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: Option<f64>,
    /// The name of the material. Default: `default`.
    #[serde(default)]
    pub material: Option<String>,
    /// How the shape is turned.
    #[serde(default)]
    pub rotation: Option<Rotation>,
    /// Whether each body is turned at random instead. Default: true for `fill` and emitters, false for `grid` and `layers`.
    #[serde(default)]
    pub random_rotation: Option<bool>,
}

impl Default for MixEntry {
    /// Nothing yet, as likely as the others.
    fn default() -> Self {
        Self {
            shape: None,
            scale: None,
            radius: None,
            weight: one(),
            density: None,
            material: None,
            rotation: None,
            random_rotation: None,
        }
    }
}

/// A random number: a number for always the same, or a table with a `type`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Distribution {
    /// Always the same.
    Constant(#[schemars(extend("exclusiveMinimum" = 0))] f64),
    /// Any other.
    Random(DistributionKind),
}

/// A distribution of positive numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum DistributionKind {
    /// Every number between two is as likely.
    Uniform {
        /// The smallest.
        #[schemars(extend("exclusiveMinimum" = 0))]
        min: f64,
        /// The largest.
        #[schemars(extend("exclusiveMinimum" = 0))]
        max: f64,
    },
    /// The bell curve, cut off at three deviations and above a tenth of the mean.
    Normal {
        /// The mean.
        #[schemars(extend("exclusiveMinimum" = 0))]
        mean: f64,
        /// The standard deviation.
        #[schemars(range(min = 0.0))]
        deviation: f64,
    },
    /// One of several.
    List {
        /// The numbers.
        #[schemars(length(min = 1))]
        values: Vec<f64>,
        /// How often each, in proportion to the others. Default: all as often.
        #[serde(default)]
        weights: Option<Vec<f64>>,
    },
}

/// How equal spheres are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lattice {
    /// Each touches six others.
    #[default]
    Cubic,
    /// Each touches twelve others.
    Hexagonal,
}

fn one() -> f64 {
    1.0
}
