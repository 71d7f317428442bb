//! Surfaces.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Properties of a surface, and the density of what is below it.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Material, SceneFile};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(0.01);
/// let rubber = Material {
///     density: Some(1100.0),
///     friction: 0.9,
///     rolling_friction: 1e-3,
///     spinning_friction: 5e-4,
///     cohesion: 2.0,
///     restitution: 0.6,
///     compliance: 1e-6,
///     damping_time: 1e-3,
/// };
/// file.materials.insert("rubber".into(), rubber);
/// let run = Scene::from_model(&file)?.build()?;
/// assert_eq!(run.simulation.materials().pair(1, 1).friction, 0.9);
/// # Ok::<(), moreau_scene::SceneErrors>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Material {
    /// For bodies of this material that give neither density nor mass, in kg/m³.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub density: Option<f64>,
    /// Friction coefficient.
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Rolling friction, a length in m.
    #[schemars(range(min = 0.0))]
    pub rolling_friction: f64,
    /// Spinning friction, a length in m.
    #[schemars(range(min = 0.0))]
    pub spinning_friction: f64,
    /// The largest pull that a contact resists, in N.
    #[schemars(range(min = 0.0))]
    pub cohesion: f64,
    /// Speed after an impact over the speed before it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f64,
    /// Overlap per normal force, in m/N.
    #[schemars(range(min = 0.0))]
    pub compliance: f64,
    /// The time in s in which a compliant contact recovers.
    #[schemars(range(min = 0.0))]
    pub damping_time: f64,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            density: None,
            friction: 0.5,
            rolling_friction: 0.0,
            spinning_friction: 0.0,
            cohesion: 0.0,
            restitution: 0.0,
            compliance: 0.0,
            damping_time: 0.0,
        }
    }
}

/// What two materials make together; what is not given follows from the rules.
///
/// ```
/// use moreau_scene::Scene;
/// use moreau_scene::model::{Material, MaterialPair, SceneFile};
///
/// let mut file = SceneFile::lasting(1.0);
/// file.simulation.time_step = Some(0.01);
/// let steel = Material { friction: 0.6, restitution: 0.5, ..Material::default() };
/// file.materials.insert("steel".into(), steel);
/// file.material_pairs.push(MaterialPair {
///     between: ["steel".into(), "default".into()],
///     friction: Some(0.05),
///     rolling_friction: None,
///     spinning_friction: None,
///     cohesion: None,
///     restitution: None,
///     compliance: None,
///     damping_time: None,
/// });
/// let run = Scene::from_model(&file)?.build()?;
/// // The material `default` is number 0.
/// let both = run.simulation.materials().pair(0, 1);
/// assert_eq!(both.friction, 0.05);
/// assert_eq!(both.restitution, 0.0, "√(0 · 0.5)");
/// # Ok::<(), moreau_scene::SceneErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialPair {
    /// The names of the two materials.
    pub between: [String; 2],
    /// Friction coefficient.
    #[schemars(range(min = 0.0))]
    pub friction: Option<f64>,
    /// Rolling friction, a length in m.
    #[schemars(range(min = 0.0))]
    pub rolling_friction: Option<f64>,
    /// Spinning friction, a length in m.
    #[schemars(range(min = 0.0))]
    pub spinning_friction: Option<f64>,
    /// The largest pull that a contact resists, in N.
    #[schemars(range(min = 0.0))]
    pub cohesion: Option<f64>,
    /// Speed after an impact over the speed before it.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: Option<f64>,
    /// Overlap per normal force, in m/N.
    #[schemars(range(min = 0.0))]
    pub compliance: Option<f64>,
    /// The time in s in which a compliant contact recovers.
    #[schemars(range(min = 0.0))]
    pub damping_time: Option<f64>,
}

/// How the properties of two materials are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Combine {
    /// For friction.
    pub friction: CombineRule,
    /// For rolling and spinning friction.
    pub rolling: CombineRule,
    /// For cohesion.
    pub cohesion: CombineRule,
    /// For restitution.
    pub restitution: CombineRule,
}

impl Default for Combine {
    fn default() -> Self {
        Self {
            friction: CombineRule::Geometric,
            rolling: CombineRule::Maximum,
            cohesion: CombineRule::Minimum,
            restitution: CombineRule::Geometric,
        }
    }
}

/// How one property of two materials is combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CombineRule {
    /// (a + b) / 2.
    Average,
    /// √(a b).
    Geometric,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
    /// a b.
    Product,
    /// a + b.
    Sum,
}
