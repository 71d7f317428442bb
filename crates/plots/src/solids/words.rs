//! The words below a picture of solids: its caption, and what the colours mean.

use super::{ColourBar, SolidsPicture};
use crate::scene::{Align, Label, Rgb, shorten};
use crate::style::blend;
use crate::text::{LabelStyle, width_of};

/// Height of a line, in font sizes.
const LINE: f64 = 2.2;
/// Height and width of the bar of colours, and its distance from the words, in font sizes.
const BAR: (f64, f64, f64) = (0.9, 9.0, 0.6);

impl SolidsPicture {
    /// The font size, in pixels.
    fn font_size(&self) -> f64 {
        (0.026 * f64::from(self.width.min(self.height))).max(9.0)
    }

    /// What the words take of the picture's height, in pixels.
    pub(super) fn words_height(&self) -> f64 {
        let lines = usize::from(self.caption.is_some()) + usize::from(self.colours.is_some());
        LINE * lines as f64 * self.font_size()
    }

    pub(super) fn write_words(&self, pixels: &mut [u8]) {
        let size = self.font_size();
        let mut middle = f64::from(self.height) - 0.5 * LINE * size;
        if let Some(caption) = &self.caption {
            let line: String = caption.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = shorten(&line, size, 0.94 * f64::from(self.width));
            let left = (f64::from(self.width) - width_of(&text, size)) / 2.0;
            self.write(pixels, text, (left, middle));
            middle -= LINE * size;
        }
        if let Some(bar) = &self.colours {
            self.draw_bar(pixels, bar, middle);
        }
    }

    /// The bar with the words for its ends on both sides, in the middle of the picture.
    fn draw_bar(&self, pixels: &mut [u8], bar: &ColourBar, middle: f64) {
        let size = self.font_size();
        let (width, height) = (self.width as usize, self.height as usize);
        let [tall, long, apart] = [BAR.0, BAR.1, BAR.2].map(|share| share * size);
        let most = 0.3 * f64::from(self.width);
        let (low, high) = (
            shorten(&bar.low, size, most),
            shorten(&bar.high, size, most),
        );
        let words = [width_of(&low, size), width_of(&high, size)];
        let whole = words[0] + words[1] + long + 2.0 * apart;
        let left = (f64::from(self.width) - whole) / 2.0;
        let start = left + words[0] + apart;
        self.write(pixels, low, (left, middle));
        self.write(pixels, high, (start + long + apart, middle));
        let rows =
            (middle - 0.5 * tall).max(0.0) as usize..((middle + 0.5 * tall) as usize).min(height);
        for x in start.max(0.0) as usize..((start + long) as usize).min(width) {
            let [red, green, blue] = colour_at(&bar.colours, (x as f64 - start) / long);
            for y in rows.clone() {
                pixels[3 * (y * width + x)..][..3].copy_from_slice(&[red, green, blue]);
            }
        }
    }

    /// Writes a line that begins at a place and is centred on its height.
    fn write(&self, pixels: &mut [u8], text: String, at: (f64, f64)) {
        let (width, height) = (self.width as usize, self.height as usize);
        let label = Label {
            text,
            at: (0.0, 0.0),
            size: self.font_size(),
            align: Align::Left,
            upright: false,
        };
        let style = LabelStyle {
            label: &label,
            scale: 1.0,
        };
        let ink = match self.background.iter().map(|&c| u32::from(c)).sum() {
            0..=300u32 => 235.0,
            _ => 34.0,
        };
        let corner = (at.0.round() as i32, at.1.round() as i32);
        style.paint(corner, |x, y, coverage| {
            let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
                return;
            };
            if x < width && y < height {
                for value in &mut pixels[3 * (y * width + x)..][..3] {
                    let old = f64::from(*value);
                    *value = (old + coverage * (ink - old)).round() as u8;
                }
            }
        });
    }
}

/// The colour at a share of the bar, from 0 to 1; black if it has none.
fn colour_at(colours: &[[u8; 3]], share: f64) -> [u8; 3] {
    let rgb = |k: usize| -> Rgb { colours.get(k).map_or((0, 0, 0), |c| (c[0], c[1], c[2])) };
    let place = share.clamp(0.0, 1.0) * colours.len().saturating_sub(1) as f64;
    let below = (place as usize).min(colours.len().saturating_sub(2));
    let above = (below + 1).min(colours.len().saturating_sub(1));
    let (red, green, blue) = blend(rgb(below), rgb(above), place - below as f64);
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_goes_from_the_first_colour_to_the_last() {
        let colours = [[0, 0, 0], [100, 200, 50], [250, 0, 0]];
        assert_eq!(colour_at(&colours, -1.0), colours[0]);
        assert_eq!(colour_at(&colours, 0.25), [50, 100, 25]);
        assert_eq!(colour_at(&colours, 0.5), colours[1]);
        assert_eq!(colour_at(&colours, 1.0), colours[2]);
        assert_eq!(colour_at(&[[7, 8, 9]], 0.4), [7, 8, 9]);
        assert_eq!(colour_at(&[], 0.4), [0, 0, 0]);
    }
}
