//! Paints a scene as SVG text or as the bytes of a PNG file.

use std::fmt::Display;

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters_backend::{BackendColor, BackendStyle, DrawingBackend};

use crate::PlotError;
use crate::scene::{Point, Rgb, Scene, Shape, WHITE};
use crate::text::LabelStyle;

/// Painted pixels per figure unit. The drawing library rounds to whole pixels,
/// so both formats are painted large: the SVG file shrinks them by its view
/// box, the PNG file by averaging.
const SCALE: f64 = 4.0;
/// Painted pixels per pixel of the PNG file, in each direction: the file has
/// two pixels per figure unit.
const OVERSAMPLING: usize = 2;

struct Stroke {
    color: Rgb,
    width: u32,
}

impl BackendStyle for Stroke {
    fn color(&self) -> BackendColor {
        BackendColor {
            alpha: 1.0,
            rgb: self.color,
        }
    }

    fn stroke_width(&self) -> u32 {
        self.width
    }
}

fn fill(color: Rgb) -> Stroke {
    Stroke { color, width: 1 }
}

pub(crate) fn refused(error: impl Display) -> PlotError {
    PlotError::Draw(error.to_string())
}

fn pixel((x, y): Point) -> (i32, i32) {
    ((x * SCALE).round() as i32, (y * SCALE).round() as i32)
}

fn pixels(length: f64) -> u32 {
    (length * SCALE).round().max(1.0) as u32
}

fn size(scene: &Scene) -> (u32, u32) {
    // Whole figure units: every pixel of the PNG file averages a full block.
    (
        SCALE as u32 * scene.width.ceil() as u32,
        SCALE as u32 * scene.height.ceil() as u32,
    )
}

/// The scene as the text of an SVG file.
pub(crate) fn svg_text(scene: &Scene) -> Result<String, PlotError> {
    let (width, height) = size(scene);
    let mut text = String::new();
    let mut backend = SVGBackend::with_string(&mut text, (width, height));
    paint(scene, &mut backend, |backend, points, stroke| {
        backend
            .draw_path(points.iter().map(|&p| pixel(p)), stroke)
            .map_err(refused)
    })?;
    backend.present().map_err(refused)?;
    drop(backend);
    let painted = format!("<svg width=\"{width}\" height=\"{height}\"");
    let shown = format!(
        "<svg width=\"{}\" height=\"{}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"",
        scene.width.ceil(),
        scene.height.ceil()
    );
    Ok(text.replacen(&painted, &shown, 1))
}

/// The scene as the bytes of a PNG file, two pixels per figure unit.
pub(crate) fn png_bytes(scene: &Scene) -> Result<Vec<u8>, PlotError> {
    let (width, height) = size(scene);
    let mut painted = vec![255; 3 * width as usize * height as usize];
    let mut backend = BitMapBackend::with_buffer(&mut painted, (width, height));
    paint(scene, &mut backend, |backend, points, stroke| {
        broken_line(backend, points, stroke)
    })?;
    backend.present().map_err(refused)?;
    drop(backend);
    let (small, columns, rows) = average(&painted, width as usize, height as usize);
    encode_png(&small, columns as u32, rows as u32, png::Compression::Best)
}

/// The bytes of a PNG file of red, green and blue values.
pub(crate) fn encode_png(
    pixels: &[u8],
    width: u32,
    height: u32,
    compression: png::Compression,
) -> Result<Vec<u8>, PlotError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(compression);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(pixels).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(bytes)
}

fn paint<B: DrawingBackend>(
    scene: &Scene,
    backend: &mut B,
    line: impl Fn(&mut B, &[Point], &Stroke) -> Result<(), PlotError>,
) -> Result<(), PlotError> {
    let (width, height) = size(scene);
    let corner = (width as i32, height as i32);
    backend
        .draw_rect((0, 0), corner, &fill(WHITE), true)
        .map_err(refused)?;
    for shape in &scene.shapes {
        match shape {
            Shape::Line {
                points,
                width,
                color,
            } => {
                line(
                    backend,
                    points,
                    &Stroke {
                        color: *color,
                        width: pixels(*width),
                    },
                )?;
            }
            Shape::Disc {
                center,
                radius,
                color,
            } => backend
                .draw_circle(pixel(*center), pixels(*radius), &fill(*color), true)
                .map_err(refused)?,
            Shape::Polygon { points, color } => backend
                .fill_polygon(points.iter().map(|&p| pixel(p)), &fill(*color))
                .map_err(refused)?,
            Shape::Text(label) => {
                let style = LabelStyle {
                    label,
                    scale: SCALE,
                };
                backend
                    .draw_text(&label.text, &style, pixel(label.at))
                    .map_err(refused)?;
            }
        }
    }
    Ok(())
}

/// A broken line as rectangles with a disc on every corner. The drawing
/// library's own outline of a wide line leaves holes where the line turns back.
fn broken_line<B: DrawingBackend>(
    backend: &mut B,
    points: &[Point],
    stroke: &Stroke,
) -> Result<(), PlotError> {
    // A filled polygon covers the pixels of its edges too: one pixel less.
    let half = (f64::from(stroke.width) - 1.0) / 2.0 / SCALE;
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length > 0.0 {
            let side = (-dy / length * half, dx / length * half);
            let corners = [
                (from.0 + side.0, from.1 + side.1),
                (to.0 + side.0, to.1 + side.1),
                (to.0 - side.0, to.1 - side.1),
                (from.0 - side.0, from.1 - side.1),
            ];
            backend
                .fill_polygon(corners.map(pixel), &fill(stroke.color))
                .map_err(refused)?;
        }
    }
    if stroke.width > 4 {
        for &point in points {
            backend
                .draw_circle(pixel(point), stroke.width / 2, &fill(stroke.color), true)
                .map_err(refused)?;
        }
    }
    Ok(())
}

/// Averages square blocks of pixels; returns the picture, its width and height.
fn average(painted: &[u8], width: usize, height: usize) -> (Vec<u8>, usize, usize) {
    let (columns, rows) = (width / OVERSAMPLING, height / OVERSAMPLING);
    let count = OVERSAMPLING * OVERSAMPLING;
    let mut small = Vec::with_capacity(3 * columns * rows);
    for row in 0..rows {
        for column in 0..columns {
            for channel in 0..3 {
                let mut sum = 0;
                for y in row * OVERSAMPLING..(row + 1) * OVERSAMPLING {
                    for x in column * OVERSAMPLING..(column + 1) * OVERSAMPLING {
                        sum += usize::from(painted[3 * (y * width + x) + channel]);
                    }
                }
                small.push(((sum + count / 2) / count) as u8);
            }
        }
    }
    (small, columns, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Align, INK};

    fn scene() -> Scene {
        let mut scene = Scene::new(40.0, 30.0);
        scene.line(&[(5.0, 5.0), (35.0, 25.0), (5.0, 5.5)], 3.0, INK);
        scene.disc((20.0, 15.0), 4.0, (200, 0, 0));
        scene.text("a < b & c", (20.0, 20.0), 10.0, Align::Center);
        scene
    }

    #[test]
    fn the_png_file_has_two_pixels_per_unit() {
        let bytes = png_bytes(&scene()).unwrap();
        let reader = png::Decoder::new(bytes.as_slice()).read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (80, 60));
    }

    #[test]
    fn the_svg_file_is_shown_at_figure_size_and_escapes_text() {
        let text = svg_text(&scene()).unwrap();
        assert!(
            text.starts_with("<svg width=\"40\" height=\"30\""),
            "{text}"
        );
        assert!(text.contains("viewBox=\"0 0 160 120\""));
        assert!(text.contains("a &lt; b &amp; c"));
        assert!(text.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn shapes_outside_the_figure_do_no_harm() {
        let mut scene = scene();
        scene.line(&[(-50.0, -50.0), (90.0, 400.0)], 2.0, INK);
        scene.disc((-3.0, 31.0), 9.0, INK);
        scene.polygon(vec![(0.0, -5.0), (50.0, 10.0), (0.0, 60.0)], INK);
        assert!(png_bytes(&scene).is_ok() && svg_text(&scene).is_ok());
    }
}
