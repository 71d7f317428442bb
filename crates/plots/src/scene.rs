//! A picture as a list of shapes, in figure units with y pointing down.
//!
//! The plots fill a [`Scene`]; only the painter knows about file formats.

use crate::text::width_of;

/// A point of the figure.
pub(crate) type Point = (f64, f64);

/// An opaque colour: red, green, blue.
pub(crate) type Rgb = (u8, u8, u8);

pub(crate) const WHITE: Rgb = (255, 255, 255);
/// The colour of text and frames.
pub(crate) const INK: Rgb = (34, 34, 34);
/// The colour of grid lines.
pub(crate) const GRID: Rgb = (226, 228, 231);

/// Where a text sits relative to its anchor point; vertically it is centred.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Align {
    Left,
    Center,
    Right,
}

/// One line of text.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub text: String,
    pub at: Point,
    pub size: f64,
    pub align: Align,
    /// Reads from bottom to top instead of from left to right.
    pub upright: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// A broken line with round ends and corners.
    Line {
        points: Vec<Point>,
        width: f64,
        color: Rgb,
    },
    Disc {
        center: Point,
        radius: f64,
        color: Rgb,
    },
    /// A filled convex polygon.
    Polygon {
        points: Vec<Point>,
        color: Rgb,
    },
    Text(Label),
}

/// What a figure consists of, first shape at the back.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub width: f64,
    pub height: f64,
    pub shapes: Vec<Shape>,
}

impl Scene {
    pub fn new(width: f64, height: f64) -> Self {
        Scene {
            width,
            height,
            shapes: Vec::new(),
        }
    }

    pub fn line(&mut self, points: &[Point], width: f64, color: Rgb) {
        if points.len() > 1 {
            self.shapes.push(Shape::Line {
                points: points.to_vec(),
                width,
                color,
            });
        }
    }

    /// A line with gaps: `dash` lists the lengths drawn and skipped in turn.
    pub fn dashed(&mut self, points: &[Point], width: f64, color: Rgb, dash: &[f64]) {
        if dash.is_empty() {
            self.line(points, width, color);
            return;
        }
        for piece in cut_into_dashes(points, dash) {
            self.line(&piece, width, color);
        }
    }

    pub fn disc(&mut self, center: Point, radius: f64, color: Rgb) {
        self.shapes.push(Shape::Disc {
            center,
            radius,
            color,
        });
    }

    pub fn polygon(&mut self, points: Vec<Point>, color: Rgb) {
        self.shapes.push(Shape::Polygon { points, color });
    }

    pub fn text(&mut self, text: &str, at: Point, size: f64, align: Align) {
        self.label(text, at, size, align, false);
    }

    pub fn label(&mut self, text: &str, at: Point, size: f64, align: Align, upright: bool) {
        let text = printable(text);
        if !text.is_empty() {
            self.shapes.push(Shape::Text(Label {
                text,
                at,
                size,
                align,
                upright,
            }));
        }
    }
}

/// The text without the characters that an XML file must not hold.
fn printable(text: &str) -> String {
    let clean = |c: char| {
        if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) {
            ' '
        } else {
            c
        }
    };
    text.trim().chars().map(clean).collect()
}

/// Breaks a text at spaces into lines no wider than `width`, at most `most` of
/// them; what does not fit is replaced by an ellipsis.
pub(crate) fn wrap(text: &str, size: f64, width: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let joined = lines.last().map(|line| format!("{line} {word}"));
        match joined {
            Some(joined) if width_of(&joined, size) <= width => {
                *lines.last_mut().expect("a line was joined") = joined;
            }
            _ if lines.len() == most => {
                let last = lines.last_mut().expect("the lines are used up");
                *last = shorten(&format!("{last} {word}"), size, width);
                return lines;
            }
            _ => lines.push(shorten(word, size, width)),
        }
    }
    lines
}

/// The text, cut with an ellipsis if it is wider than `width`.
pub(crate) fn shorten(text: &str, size: f64, width: f64) -> String {
    if width_of(text, size) <= width {
        return text.to_string();
    }
    let room = width - width_of("…", size);
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width_of(&kept, size) > room {
            kept.pop();
            break;
        }
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

fn cut_into_dashes(points: &[Point], dash: &[f64]) -> Vec<Vec<Point>> {
    let mut pieces = Vec::new();
    let mut piece: Vec<Point> = points.first().copied().into_iter().collect();
    let mut phase = 0;
    let mut left = dash[0];
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let s = done / length;
            let cut = (from.0 + s * (to.0 - from.0), from.1 + s * (to.1 - from.1));
            if phase % 2 == 0 {
                piece.push(cut);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![cut];
            }
            phase = (phase + 1) % dash.len();
            left = dash[phase];
        }
        left -= length - done;
        if phase % 2 == 0 {
            piece.push(to);
        }
    }
    pieces.push(piece);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_cover_their_share_of_the_line_around_corners() {
        let pieces = cut_into_dashes(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)], &[6.0, 2.0]);
        let ends: Vec<_> = pieces.iter().map(|p| (p[0], p[p.len() - 1])).collect();
        assert_eq!(ends[0], ((0.0, 0.0), (6.0, 0.0)));
        assert_eq!(ends[1], ((8.0, 0.0), (10.0, 4.0)));
        assert_eq!(ends[2], ((10.0, 6.0), (10.0, 10.0)));
        assert_eq!(pieces[1].len(), 3, "the corner is kept");
    }

    #[test]
    fn long_texts_are_broken_and_cut() {
        let lines = wrap("one two three four five six seven", 12.0, 60.0, 2);
        assert_eq!(lines.len(), 2);
        assert!(lines[1].ends_with('…'));
        assert!(lines.iter().all(|line| width_of(line, 12.0) <= 60.0));
        assert!(wrap("", 12.0, 60.0, 2).is_empty());
    }

    #[test]
    fn control_characters_do_not_reach_the_file() {
        assert_eq!(printable("a\nb\u{0}c"), "a b c");
    }
}
