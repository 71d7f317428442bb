//! Grains and the forces between them.

use std::path::Path;

use crate::PlotError;
use crate::axis::{Axis, AxisScale, nice_step, plain_number};
use crate::output::{Format, write};
use crate::scene::{Align, INK, Point, Rgb, Scene, WHITE, wrap};
use crate::style::{blend, heat};
use crate::text::width_of;

/// A grain in the plane of the picture.
///
/// ```
/// let grain = moreau_plots::Grain { x: 0.0, y: 1.0, radius: 0.5, shade: 0.2 };
/// assert!(grain.radius > 0.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grain {
    /// Centre, to the right.
    pub x: f64,
    /// Centre, upwards.
    pub y: f64,
    /// Radius.
    pub radius: f64,
    /// From 0, light, to 1, dark: depth, size or kind of the grain.
    pub shade: f64,
}

/// A force, drawn as a line between two points, most often centres of grains.
///
/// ```
/// let force = moreau_plots::Force { from: (0.0, 0.0), to: (0.0, 1.0), magnitude: 9.81 };
/// assert_eq!(force.magnitude, 9.81);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Force {
    /// One end.
    pub from: (f64, f64),
    /// The other end.
    pub to: (f64, f64),
    /// How strong it is; forces that are not positive are not drawn.
    pub magnitude: f64,
}

/// Grains and forces, seen in a plane. Entries with NaN or infinite numbers, and
/// grains without extent, are left out.
///
/// ```
/// let plot = moreau_plots::ForceNetworkPlot { force_label: "N".into(), ..Default::default() };
/// assert!(plot.grains.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForceNetworkPlot {
    /// What stands above the figure.
    pub title: String,
    /// What stands below the figure.
    pub caption: String,
    /// The grains.
    pub grains: Vec<Grain>,
    /// The forces between them.
    pub forces: Vec<Force>,
    /// The force at the end of the scale, so that several pictures share one;
    /// stronger forces look like this one. The strongest force if not given.
    pub largest_force: Option<f64>,
    /// What the scale of the forces is called, such as "normal force (N)".
    pub force_label: String,
    /// The unit of length; if not empty, a bar shows a round length in it.
    pub length_unit: String,
}

/// Draws grains and the forces between them into an `.svg` or `.png` file, with
/// the same scale in both directions.
///
/// ```
/// use moreau_plots::{Force, ForceNetworkPlot, Grain, force_network};
///
/// let path = std::env::temp_dir().join("moreau-doc-network.svg");
/// let grain = |y| Grain { x: 0.0, y, radius: 0.5, shade: 0.3 };
/// force_network(
///     &path,
///     &ForceNetworkPlot {
///         title: "Two balls".into(),
///         grains: vec![grain(0.5), grain(1.5)],
///         forces: vec![Force { from: (0.0, 0.5), to: (0.0, 1.5), magnitude: 9.81 }],
///         force_label: "normal force (N)".into(),
///         ..Default::default()
///     },
/// )?;
/// assert!(std::fs::read_to_string(&path)?.contains("normal force (N)"));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the extension is neither `.svg` nor `.png`, or the file cannot be written.
pub fn force_network(path: impl AsRef<Path>, plot: &ForceNetworkPlot) -> Result<(), PlotError> {
    let format = Format::of(path.as_ref())?;
    write(path.as_ref(), format, &scene(plot))
}

/// The picture of the grains fits into this width and height.
const ROOM: (f64, f64) = (720.0, 640.0);
const MARGIN: f64 = 24.0;
const TITLE: f64 = 17.0;
const CAPTION: f64 = 13.0;
/// Width of the lines of the weakest and the strongest force, unless the grains
/// are small.
const WIDTHS: (f64, f64) = (0.5, 8.5);
/// Coordinates beyond this cannot be drawn to scale with anything else.
const FARTHEST: f64 = 1e150;

fn scene(plot: &ForceNetworkPlot) -> Scene {
    let near = |v: &f64| v.abs() < FARTHEST;
    let sound = |g: &&Grain| [g.x, g.y, g.radius].iter().all(near) && g.radius > 0.0;
    let drawn = |f: &&Force| {
        let ends = [f.from.0, f.from.1, f.to.0, f.to.1];
        ends.iter().all(near) && f.magnitude.is_finite() && f.magnitude > 0.0
    };
    let grains: Vec<&Grain> = plot.grains.iter().filter(sound).collect();
    let mut forces: Vec<&Force> = plot.forces.iter().filter(drawn).collect();
    forces.sort_by(|a, b| a.magnitude.total_cmp(&b.magnitude));

    let title = wrap(&plot.title, TITLE, ROOM.0, 3);
    let top = MARGIN + 26.0 * title.len() as f64;
    let view = View::of(&grains, &forces, top);
    let caption = wrap(&plot.caption, CAPTION, view.size.0.max(420.0), 6);
    let label_width = width_of(&plot.force_label, CAPTION);
    let right = if forces.is_empty() {
        0.0
    } else {
        label_width.clamp(90.0, 200.0) + MARGIN
    };
    let bar = if plot.length_unit.is_empty() {
        0.0
    } else {
        30.0
    };
    let bottom = top + view.size.1 + bar;
    let below = 20.0 * caption.len() as f64 + MARGIN;
    let height = (bottom + below + 8.0).max(top + SCALE_HEIGHT + 70.0);
    let width = (2.0 * MARGIN + view.size.0.max(240.0) + right).max(480.0);
    let mut scene = Scene::new(width, height);

    let middle = MARGIN + view.size.0.max(240.0) / 2.0;
    for (k, line) in title.iter().enumerate() {
        scene.text(
            line,
            (
                middle.max(width / 2.0 - right / 2.0),
                24.0 + 26.0 * k as f64,
            ),
            TITLE,
            Align::Center,
        );
    }
    for grain in &grains {
        draw_grain(
            &mut scene,
            view.place((grain.x, grain.y)),
            grain.radius * view.scale,
            grain.shade,
        );
    }
    let given = plot.largest_force.filter(|f| f.is_finite() && *f > 0.0);
    let strongest = given.or(forces.last().map(|f| f.magnitude)).unwrap_or(1.0);
    let widths = view.line_widths(&grains);
    for force in &forces {
        let strength = (force.magnitude / strongest).min(1.0);
        let ends = [view.place(force.from), view.place(force.to)];
        scene.line(&ends, line_width(strength, widths), heat(strength));
    }
    if !forces.is_empty() {
        let corner = (MARGIN + view.size.0.max(240.0) + 28.0, top + 12.0);
        draw_force_scale(&mut scene, corner, strongest, widths, &plot.force_label);
    }
    if !plot.length_unit.is_empty() {
        draw_length_bar(&mut scene, &view, (MARGIN, bottom - 8.0), &plot.length_unit);
    }
    for (k, line) in caption.iter().enumerate() {
        let y = bottom + 24.0 + 20.0 * k as f64;
        scene.text(line, (MARGIN, y), CAPTION, Align::Left);
    }
    scene
}

/// How the plane of the grains lies in the figure.
struct View {
    left: f64,
    highest: f64,
    scale: f64,
    top: f64,
    size: (f64, f64),
}

impl View {
    fn of(grains: &[&Grain], forces: &[&Force], top: f64) -> Self {
        let mut low = (f64::INFINITY, f64::INFINITY);
        let mut high = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        let discs = grains.iter().map(|g| (g.x, g.y, g.radius));
        let ends = forces
            .iter()
            .flat_map(|f| [f.from, f.to])
            .map(|p| (p.0, p.1, 0.0));
        for (x, y, radius) in discs.chain(ends) {
            low = (low.0.min(x - radius), low.1.min(y - radius));
            high = (high.0.max(x + radius), high.1.max(y + radius));
        }
        if low.0 > high.0 {
            (low, high) = ((0.0, 0.0), (1.0, 1.0));
        }
        let (wide, tall) = (high.0 - low.0, high.1 - low.1);
        let scale = (ROOM.0 / wide).min(ROOM.1 / tall);
        // All in one point: any scale will do.
        let scale = if scale.is_finite() { scale } else { 1.0 };
        let size = (wide * scale, tall * scale);
        View {
            left: low.0,
            highest: high.1,
            scale,
            top,
            size,
        }
    }

    fn place(&self, (x, y): (f64, f64)) -> Point {
        (
            MARGIN + (x - self.left) * self.scale,
            self.top + (self.highest - y) * self.scale,
        )
    }

    /// Lines no wider than the typical grain's radius: beyond that they would
    /// cover the picture.
    fn line_widths(&self, grains: &[&Grain]) -> (f64, f64) {
        let mut radii: Vec<f64> = grains.iter().map(|g| g.radius * self.scale).collect();
        radii.sort_by(f64::total_cmp);
        let typical = radii.get(radii.len() / 2).copied().unwrap_or(f64::INFINITY);
        (WIDTHS.0, WIDTHS.1.min(0.8 * typical).max(1.5))
    }
}

fn line_width(strength: f64, (least, most): (f64, f64)) -> f64 {
    least + strength * (most - least)
}

/// A disc that looks round: lighter discs, moved towards a light at the top
/// left, inside a thin dark rim.
fn draw_grain(scene: &mut Scene, at: Point, radius: f64, shade: f64) {
    const LIGHT: Rgb = (232, 237, 242);
    const DARK: Rgb = (148, 163, 179);
    const RIM: Rgb = (96, 108, 122);
    let shade = if shade.is_nan() {
        0.0
    } else {
        shade.clamp(0.0, 1.0)
    };
    let base = blend(LIGHT, DARK, shade);
    let rim = (0.06 * radius).clamp(0.25, 0.9);
    scene.disc(at, radius, blend(base, RIM, 0.8));
    scene.disc(at, radius - rim, blend(base, RIM, 0.18));
    if radius < 3.0 {
        return;
    }
    let body = blend(base, RIM, 0.18);
    let discs = (0.6 * radius).clamp(4.0, 14.0).round();
    for k in 1..=discs as usize {
        let share = k as f64 / discs;
        let center = (at.0 - 0.26 * share * radius, at.1 - 0.3 * share * radius);
        let inner = (radius - rim) * (1.0 - 0.75 * share);
        scene.disc(center, inner, blend(body, WHITE, 0.7 * share));
    }
}

const SCALE_HEIGHT: f64 = 220.0;

/// A wedge as wide and as coloured as the lines of the forces beside it.
fn draw_force_scale(
    scene: &mut Scene,
    (left, top): Point,
    strongest: f64,
    widths: (f64, f64),
    name: &str,
) {
    const SLICES: usize = 110;
    for (k, line) in wrap(name, CAPTION, 190.0, 2).iter().enumerate() {
        scene.text(
            line,
            (left - 10.0, top + 17.0 * k as f64),
            CAPTION,
            Align::Left,
        );
    }
    let foot = top + 32.0 + SCALE_HEIGHT;
    let height = |place: f64| foot - place * SCALE_HEIGHT;
    for k in 0..SLICES {
        let (from, to) = (k as f64 / SLICES as f64, (k + 1) as f64 / SLICES as f64);
        let (a, b) = (line_width(from, widths) / 2.0, line_width(to, widths) / 2.0);
        let x = left + widths.1 / 2.0;
        let corners = vec![
            (x - a, height(from)),
            (x + a, height(from)),
            (x + b, height(to)),
            (x - b, height(to)),
        ];
        scene.polygon(corners, heat(to));
    }
    let right = left + widths.1 + 6.0;
    for (place, number) in Axis::around(AxisScale::Linear, [0.0, strongest].into_iter()).ticks(7) {
        scene.line(
            &[(right, height(place)), (right + 5.0, height(place))],
            1.0,
            INK,
        );
        scene.text(&number, (right + 10.0, height(place)), CAPTION, Align::Left);
    }
}

/// A bar whose length is a round number of units.
fn draw_length_bar(scene: &mut Scene, view: &View, (left, y): Point, unit: &str) {
    let length = nice_step(60.0 / view.scale);
    let right = left + length * view.scale;
    scene.line(&[(left, y), (right, y)], 1.75, INK);
    for x in [left, right] {
        scene.line(&[(x, y - 4.0), (x, y + 4.0)], 1.25, INK);
    }
    let text = format!("{} {unit}", plain_number(length, length));
    scene.text(&text, (right + 10.0, y), CAPTION, Align::Left);
}
