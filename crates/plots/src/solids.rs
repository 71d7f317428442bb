//! Pictures of solids: spheres and meshes, seen from a direction, as PNG files.
//!
//! The projection is orthographic, so that equal grains look equal wherever they
//! are and lengths can be measured in the picture. Everything is drawn on a grid
//! twice as fine as the picture and averaged. The same solids give the same
//! pixels, and the unit of length they are stated in does not matter.

mod camera;
mod glass;
mod raster;
mod shade;
mod words;

use std::path::Path;

use crate::PlotError;
use crate::output::{Format, put};
use crate::paint::{encode_png, refused};
use crate::style::heat;

use camera::{Camera, Surface, surfaces_of};
use glass::draw_glass;
use raster::DepthBuffer;
use shade::{Light, shade};

/// Samples per pixel of the picture, in each direction.
const OVERSAMPLING: usize = 2;
/// The largest picture, in pixels.
const MOST_PIXELS: u64 = 1 << 26;

/// Something to be drawn. What is not finite, or has no size, is left out.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// A ball, drawn exactly, not as facets.
    Sphere {
        /// Its centre.
        centre: [f64; 3],
        /// Its radius.
        radius: f64,
        /// Red, green and blue.
        colour: [u8; 3],
    },
    /// A surface of triangles; their orientation does not matter.
    Mesh {
        /// The corners of all triangles.
        vertices: Vec<[f64; 3]>,
        /// Three indices into `vertices` for each triangle.
        triangles: Vec<[u32; 3]>,
        /// Red, green and blue.
        colour: [u8; 3],
        /// From 0 to 1. A mesh below 1 is a container that one looks into: only
        /// the walls behind its content are filled, and its edges are drawn.
        opacity: f64,
    },
}

/// From where one looks.
///
/// A view that makes no sense (a zero, a NaN) is replaced by the default one,
/// and an `up` along the line of sight by another axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The direction of sight, from the viewer into the scene.
    pub direction: [f64; 3],
    /// What points up in the picture; the light comes from above.
    pub up: [f64; 3],
}

impl Default for View {
    /// From the front, a little from the right and above; z points up.
    fn default() -> Self {
        View {
            direction: [-0.45, 1.0, -0.55],
            up: [0.0, 0.0, 1.0],
        }
    }
}

/// A picture of solids.
///
/// ```
/// use moreau_plots::{Solid, SolidsPicture, speed_colour};
///
/// let ball = |x, share| Solid::Sphere {
///     centre: [x, 0.0, 0.5],
///     radius: 0.5,
///     colour: speed_colour(share),
/// };
/// let picture = SolidsPicture {
///     width: 80,
///     height: 60,
///     items: vec![ball(0.0, 0.1), ball(1.0, 0.9)],
///     ..SolidsPicture::default()
/// };
/// assert_eq!(picture.pixels()?.len(), 3 * 80 * 60);
/// # Ok::<(), moreau_plots::PlotError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SolidsPicture {
    /// The width of the picture in pixels.
    pub width: u32,
    /// The height of the picture in pixels.
    pub height: u32,
    /// The colour where nothing is: red, green and blue.
    pub background: [u8; 3],
    /// The solids; the picture is framed so that all of them are in it.
    pub items: Vec<Solid>,
    /// Solids that do not count for the framing and cast no shadow, such as the
    /// ground.
    pub backdrop: Vec<Solid>,
    /// From where one looks.
    pub view: View,
    /// One line of text below the solids.
    pub caption: Option<String>,
    /// What the colours mean, below the solids and above the caption.
    pub colours: Option<ColourBar>,
}

/// What the colours of a picture mean: a bar of them between the words for its ends.
///
/// ```
/// use moreau_plots::{ColourBar, speed_colour};
///
/// let bar = ColourBar {
///     low: "at rest".into(),
///     high: "2 m/s".into(),
///     colours: [0.0, 0.5, 1.0].map(speed_colour).to_vec(),
/// };
/// assert_ne!(bar.colours[0], bar.colours[2]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ColourBar {
    /// What the first colour means.
    pub low: String,
    /// What the last colour means, with its unit.
    pub high: String,
    /// Colours at equal distances along the bar: red, green and blue.
    pub colours: Vec<[u8; 3]>,
}

impl Default for SolidsPicture {
    fn default() -> Self {
        SolidsPicture {
            width: 1200,
            height: 900,
            background: [255, 255, 255],
            items: Vec::new(),
            backdrop: Vec::new(),
            view: View::default(),
            caption: None,
            colours: None,
        }
    }
}

impl SolidsPicture {
    /// Draws the picture and writes it as a PNG file, whole or not at all.
    pub fn save_png(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        let path = path.as_ref();
        if Format::of(path)? != Format::Png {
            return Err(PlotError::Draw(format!(
                "{}: solids are drawn as .png only",
                path.display()
            )));
        }
        let pixels = self.pixels()?;
        let bytes = encode_png(&pixels, self.width, self.height, png::Compression::Fast)?;
        put(path, &bytes)
    }

    /// Draws the picture: red, green and blue of each pixel, row by row from the
    /// top left.
    pub fn pixels(&self) -> Result<Vec<u8>, PlotError> {
        let count = u64::from(self.width) * u64::from(self.height);
        if count == 0 || count > MOST_PIXELS {
            return Err(refused(format!(
                "{} x {} pixels: a picture has from 1 to {MOST_PIXELS} pixels",
                self.width, self.height
            )));
        }
        let mut surfaces = surfaces_of(&self.items, 0);
        let framed = surfaces.len();
        surfaces.extend(surfaces_of(&self.backdrop, self.items.len()));

        let camera = self.camera(&surfaces[..framed]);
        let placed: Vec<Surface> = surfaces.iter().map(|s| camera.place(s)).collect();
        let mut buffer = DepthBuffer::new(
            OVERSAMPLING * self.width as usize,
            OVERSAMPLING * self.height as usize,
        );
        buffer.draw_all(&placed);
        let light = Light::new(&camera, self.view, &surfaces[..framed], buffer.longest());
        let mut samples = shade(&buffer, &placed, &light, self.background);
        draw_glass(&buffer, &placed, &light, &mut samples);

        let mut pixels = average(&samples, buffer.width);
        self.write_words(&mut pixels);
        Ok(pixels)
    }

    /// The length of a unit in pixels of the picture.
    pub fn pixels_per_unit(&self) -> f64 {
        self.camera(&surfaces_of(&self.items, 0)).scale / OVERSAMPLING as f64
    }

    fn camera(&self, framed: &[Surface]) -> Camera {
        let size = [self.width, self.height].map(|n| OVERSAMPLING as f64 * f64::from(n));
        let margin = 0.04 * size[0].min(size[1]);
        let words = OVERSAMPLING as f64 * self.words_height();
        let right_below = [size[0] - margin, size[1] - margin.max(words)];
        Camera::framing(self.view, framed, [margin, margin], right_below)
    }
}

/// A colour for a speed, from 0 (dark violet) to 1 (light yellow). Lightness
/// grows all the way, so that the map reads the same for every kind of colour
/// vision; what is outside is drawn as the nearest end, NaN as 0.
pub fn speed_colour(share: f64) -> [u8; 3] {
    let share = if share.is_nan() { 0.0 } else { share };
    let (red, green, blue) = heat(0.9 * (1.0 - share.clamp(0.0, 1.0)));
    [red, green, blue]
}

/// The mean of each square block of samples.
fn average(samples: &[[u8; 3]], width: usize) -> Vec<u8> {
    let mut pixels = Vec::with_capacity(3 * samples.len() / (OVERSAMPLING * OVERSAMPLING));
    let count = (OVERSAMPLING * OVERSAMPLING) as u32;
    for rows in samples.chunks_exact(OVERSAMPLING * width) {
        for column in (0..width).step_by(OVERSAMPLING) {
            let mut sum = [count / 2; 3];
            for row in rows.chunks_exact(width) {
                for sample in &row[column..column + OVERSAMPLING] {
                    for (sum, value) in sum.iter_mut().zip(sample) {
                        *sum += u32::from(*value);
                    }
                }
            }
            pixels.extend(sum.map(|sum| (sum / count) as u8));
        }
    }
    pixels
}
