//! The common look of the curves' figures: box, grid, numbers, names, legend.

use crate::axis::Axis;
use crate::scene::{Align, GRID, INK, Point, Scene, shorten, wrap};
use crate::style::SeriesStyle;
use crate::text::width_of;

const TITLE: f64 = 17.0;
const NAME: f64 = 15.0;
const NUMBER: f64 = 13.0;
const LEGEND: f64 = 13.0;
const ROW: f64 = 22.0;
/// Width of the sample of line in the legend.
const SAMPLE: f64 = 40.0;
/// Longer legends end with the number of series left out.
const MOST_ROWS: usize = 60;
const WIDTH: f64 = 620.0;
const HEIGHT: f64 = 400.0;

/// One row of the legend; rows without a style have their own dashed line.
pub(crate) struct Row {
    pub text: String,
    pub style: Option<SeriesStyle>,
}

/// The words around a figure.
pub(crate) struct Words<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
}

/// The scene with its empty box, and where values go.
pub(crate) struct Frame {
    pub scene: Scene,
    x: Axis,
    y: Axis,
    left: f64,
    top: f64,
    height: f64,
}

impl Frame {
    /// Draws box, grid, words and legend. The legend stands to the right of the
    /// box, where it hides no curve; the box is as high as the legend needs.
    pub fn new(words: &Words, x: Axis, y: Axis, rows: &[Row]) -> Self {
        let (x_ticks, y_ticks) = (x.ticks(10), y.ticks(12));
        let widest = y_ticks
            .iter()
            .map(|(_, n)| width_of(n, NUMBER))
            .fold(0.0, f64::max);
        let left = 48.0 + widest;
        let title = wrap(words.title, TITLE, WIDTH, 3);
        let top = 20.0 + 24.0 * title.len() as f64;
        let shown = rows.len().min(MOST_ROWS);
        let hidden = rows.len() - shown;
        let legend_rows = shown + usize::from(hidden > 0);
        let height = HEIGHT.max(legend_rows as f64 * ROW);
        let texts: Vec<_> = rows[..shown]
            .iter()
            .map(|r| shorten(&r.text, LEGEND, 280.0))
            .collect();
        let text_width = texts
            .iter()
            .map(|t| width_of(t, LEGEND))
            .fold(0.0, f64::max);
        let legend_width = if rows.is_empty() {
            0.0
        } else {
            SAMPLE + 26.0 + text_width
        };
        let scene = Scene::new(left + WIDTH + 24.0 + legend_width, top + height + 66.0);
        let mut frame = Frame {
            scene,
            x,
            y,
            left,
            top,
            height,
        };

        frame.grid(&x_ticks, &y_ticks);
        let middle = left + WIDTH / 2.0;
        for (k, line) in title.iter().enumerate() {
            let at = (middle, 20.0 + 24.0 * k as f64);
            frame.scene.text(line, at, TITLE, Align::Center);
        }
        let x_name = shorten(words.x, NAME, WIDTH);
        let y_name = shorten(words.y, NAME, height);
        frame
            .scene
            .text(&x_name, (middle, top + height + 46.0), NAME, Align::Center);
        let at = (18.0, top + height / 2.0);
        frame.scene.label(&y_name, at, NAME, Align::Center, true);
        frame.legend(&rows[..shown], &texts, hidden);
        frame
    }

    fn grid(&mut self, x_ticks: &[(f64, String)], y_ticks: &[(f64, String)]) {
        let (left, right) = (self.left, self.left + WIDTH);
        let (top, bottom) = (self.top, self.top + self.height);
        let (minor_x, minor_y) = (self.x.minor_ticks(), self.y.minor_ticks());
        let scene = &mut self.scene;
        let across = |place: f64| left + place * WIDTH;
        let up = |place: f64| bottom - place * (bottom - top);
        for (place, number) in x_ticks {
            let x = across(*place);
            scene.line(&[(x, top), (x, bottom)], 0.8, GRID);
            scene.line(&[(x, bottom), (x, bottom + 6.0)], 1.0, INK);
            scene.text(number, (x, bottom + 19.0), NUMBER, Align::Center);
        }
        for (place, number) in y_ticks {
            let y = up(*place);
            scene.line(&[(left, y), (right, y)], 0.8, GRID);
            scene.line(&[(left - 6.0, y), (left, y)], 1.0, INK);
            scene.text(number, (left - 10.0, y), NUMBER, Align::Right);
        }
        for x in minor_x.into_iter().map(across) {
            scene.line(&[(x, bottom), (x, bottom + 3.0)], 0.75, INK);
        }
        for y in minor_y.into_iter().map(up) {
            scene.line(&[(left - 3.0, y), (left, y)], 0.75, INK);
        }
        let corners = [
            (left, top),
            (right, top),
            (right, bottom),
            (left, bottom),
            (left, top),
        ];
        scene.line(&corners, 1.0, INK);
    }

    fn legend(&mut self, rows: &[Row], texts: &[String], hidden: usize) {
        let left = self.left + WIDTH + 20.0;
        let line_height = |k: usize| self.top + 12.0 + ROW * k as f64;
        for (k, (row, text)) in rows.iter().zip(texts).enumerate() {
            let y = line_height(k);
            let sample = [(left, y), (left + SAMPLE, y)];
            match row.style {
                Some(style) => {
                    self.scene.dashed(&sample, 2.0, style.color, style.dash);
                    style.mark(&mut self.scene, (left + SAMPLE / 2.0, y));
                }
                None => self.scene.dashed(&sample, 1.25, INK, REFERENCE_DASH),
            }
            self.scene
                .text(text, (left + SAMPLE + 8.0, y), LEGEND, Align::Left);
        }
        if hidden > 0 {
            let at = (left, line_height(rows.len()));
            self.scene
                .text(&format!("… and {hidden} more"), at, LEGEND, Align::Left);
        }
    }

    /// Where a pair of values lies in the figure; `None` if one is NaN.
    pub fn place(&self, (x, y): (f64, f64)) -> Option<Point> {
        let across = self.left + self.x.place(x)? * WIDTH;
        let down = self.top + (1.0 - self.y.place(y)?) * self.height;
        Some((across, down))
    }

    /// A dashed horizontal line over the whole width.
    pub fn reference(&mut self, value: f64) {
        if let Some(place) = self.y.place(value) {
            let y = self.top + (1.0 - place) * self.height;
            let ends = [(self.left, y), (self.left + WIDTH, y)];
            self.scene.dashed(&ends, 1.25, INK, REFERENCE_DASH);
        }
    }

    /// Draws a curve; every `None` is a gap in it. A few points are measurements,
    /// and each has its marker. Markers on more are spread evenly and start
    /// elsewhere for each series, so that they seldom coincide.
    pub fn curve(&mut self, points: &[Option<Point>], index: usize) {
        let style = SeriesStyle::of(index);
        for part in points.split(|p| p.is_none()) {
            let part: Vec<Point> = part.iter().flatten().copied().collect();
            if let [alone] = part[..] {
                style.mark(&mut self.scene, alone);
            }
            self.scene.dashed(&part, 1.8, style.color, style.dash);
        }
        let seen: Vec<Point> = points.iter().flatten().copied().collect();
        if seen.len() <= FEW {
            for point in seen {
                style.mark(&mut self.scene, point);
            }
            return;
        }
        let mut next = self.left + SPACING * (0.3 + 0.37 * (index % 5) as f64).fract();
        let mut marked = false;
        for pair in points.windows(2) {
            let (Some(a), Some(b)) = (pair[0], pair[1]) else {
                continue;
            };
            while next < b.0 {
                if next >= a.0 {
                    let s = (next - a.0) / (b.0 - a.0);
                    style.mark(&mut self.scene, (next, a.1 + s * (b.1 - a.1)));
                    marked = true;
                }
                next += SPACING;
            }
        }
        if let (false, Some(middle)) = (marked, seen.get(seen.len() / 2)) {
            style.mark(&mut self.scene, *middle);
        }
    }
}

/// Distance of the markers along the x axis.
const SPACING: f64 = 80.0;
/// So many points of a curve are marked where they are.
const FEW: usize = 12;
const REFERENCE_DASH: &[f64] = &[4.0, 4.0];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::AxisScale;
    use crate::scene::Shape;

    /// The centres of the discs, which mark the first series.
    fn marks(values: &[(f64, f64)]) -> (Vec<Point>, Vec<Point>) {
        let axis =
            |of: fn(&(f64, f64)) -> f64| Axis::around(AxisScale::Linear, values.iter().map(of));
        let words = Words {
            title: "",
            x: "",
            y: "",
        };
        let mut frame = Frame::new(&words, axis(|p| p.0), axis(|p| p.1), &[]);
        let placed: Vec<_> = values.iter().map(|p| frame.place(*p)).collect();
        frame.curve(&placed, 0);
        let centre = |shape: &Shape| match shape {
            Shape::Disc { center, .. } => Some(*center),
            _ => None,
        };
        let mut found: Vec<_> = frame.scene.shapes.iter().filter_map(centre).collect();
        // A white rim and the colour in it.
        found.dedup();
        (placed.into_iter().flatten().collect(), found)
    }

    #[test]
    fn a_few_measurements_are_marked_where_they_are() {
        let (placed, found) = marks(&[(1.0, 4.0), (2.0, 9.0), (7.0, 1.0)]);
        assert_eq!(found, placed);
    }

    #[test]
    fn many_points_have_markers_far_apart() {
        let curve: Vec<_> = (0..500).map(|k| (f64::from(k), f64::from(k * k))).collect();
        let (_, found) = marks(&curve);
        assert!((5..12).contains(&found.len()), "{}", found.len());
        assert!(
            found
                .windows(2)
                .all(|pair| pair[1].0 - pair[0].0 > 0.9 * SPACING)
        );
    }
}
