//! Text in the embedded font, so that a picture looks the same everywhere.
//!
//! The glyphs are placed here, with their side bearings, at sub-pixel accuracy
//! of the oversampled bitmap; an SVG file names the font and leaves the glyphs
//! to its viewer.

use std::convert::Infallible;
use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};
use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, FontFamily, FontTransform};

use crate::scene::{Align, INK, Label};

static FONT: LazyLock<FontRef<'static>> = LazyLock::new(|| {
    FontRef::try_from_slice(include_bytes!("../assets/DejaVuSans.ttf"))
        .expect("the embedded font is a valid font file")
});

/// Half the height of a small letter, in units of the font size. Viewers of SVG
/// files centre text by it, and so does the bitmap.
const HALF_SMALL_LETTER: f32 = 0.27;

/// The glyphs of a line of text with the baseline at y = 0, and its width.
fn glyphs(text: &str, size: f64) -> (Vec<Glyph>, f32) {
    let units = FONT.units_per_em().unwrap_or(2048.0);
    let font = FONT.as_scaled(PxScale::from(size as f32 * FONT.height_unscaled() / units));
    let mut placed = Vec::new();
    let mut x = 0.0;
    let mut last = None;
    for c in text.chars() {
        let mut glyph = font.scaled_glyph(c);
        if let Some(last) = last {
            x += font.kern(last, glyph.id);
        }
        last = Some(glyph.id);
        glyph.position = point(x, 0.0);
        x += font.h_advance(glyph.id);
        placed.push(glyph);
    }
    (placed, x)
}

/// The width of a line of text, in the unit of the font size.
pub(crate) fn width_of(text: &str, size: f64) -> f64 {
    f64::from(glyphs(text, size).1)
}

/// The style of one label, at `scale` pixels per figure unit.
pub(crate) struct LabelStyle<'a> {
    pub label: &'a Label,
    pub scale: f64,
}

impl LabelStyle<'_> {
    fn pixels(&self) -> f64 {
        self.label.size * self.scale
    }

    /// Calls `paint` with each pixel of the label and the part of it covered;
    /// the text starts at the left of `at` and is centred vertically.
    pub fn paint(&self, at: BackendCoord, mut paint: impl FnMut(i32, i32, f64)) {
        let Ok(Ok(())) = self.draw(&self.label.text, at, |x, y, color| {
            paint(x, y, color.alpha);
            Ok::<(), Infallible>(())
        });
    }
}

impl BackendTextStyle for LabelStyle<'_> {
    type FontError = Infallible;

    fn color(&self) -> BackendColor {
        BackendColor {
            alpha: 1.0,
            rgb: INK,
        }
    }

    /// The SVG backend divides by this factor to get at the font size.
    fn size(&self) -> f64 {
        1.24 * self.pixels()
    }

    fn transform(&self) -> FontTransform {
        if self.label.upright {
            FontTransform::Rotate270
        } else {
            FontTransform::None
        }
    }

    fn anchor(&self) -> Pos {
        let horizontal = match self.label.align {
            Align::Left => HPos::Left,
            Align::Center => HPos::Center,
            Align::Right => HPos::Right,
        };
        Pos::new(horizontal, VPos::Center)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name("DejaVu Sans, Verdana, sans-serif")
    }

    /// The box has no height: `draw` centres the text vertically.
    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Infallible> {
        let (_, width) = glyphs(text, self.pixels());
        Ok(((0, 0), (width.round() as i32, 0)))
    }

    fn draw<E, DrawFunc: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        (x0, y0): BackendCoord,
        mut draw: DrawFunc,
    ) -> Result<Result<(), E>, Infallible> {
        let baseline = y0 + (HALF_SMALL_LETTER * self.pixels() as f32).round() as i32;
        for glyph in glyphs(text, self.pixels()).0 {
            let Some(outline) = FONT.outline_glyph(glyph) else {
                continue;
            };
            let corner = outline.px_bounds().min;
            let (left, top) = (x0 + corner.x as i32, baseline + corner.y as i32);
            let mut result = Ok(());
            outline.draw(|x, y, coverage| {
                if result.is_ok() && coverage > 0.0 {
                    let color = self.color().mix(f64::from(coverage.min(1.0)));
                    result = draw(left + x as i32, top + y as i32, color);
                }
            });
            if result.is_err() {
                return Ok(result);
            }
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_holds_every_sign_the_axes_need() {
        for c in "0123456789eE+-.,⁰¹²³⁴⁵⁶⁷⁸⁹⁻…τρμ×".chars() {
            assert_ne!(FONT.glyph_id(c).0, 0, "{c} is missing");
        }
    }

    #[test]
    fn widths_grow_with_text_and_size() {
        assert_eq!(width_of("", 12.0), 0.0);
        assert!(width_of("mm", 12.0) > width_of("m", 12.0));
        assert!((width_of("moreau", 24.0) - 2.0 * width_of("moreau", 12.0)).abs() < 1e-3);
    }
}
