//! Axes: from values to places, and the numbers written along them.

/// How values are spread along an axis.
///
/// ```
/// use moreau_plots::{AxisScale, ConvergencePlot};
///
/// let plot = ConvergencePlot { x_scale: AxisScale::Log10, ..Default::default() };
/// assert_ne!(plot.x_scale, AxisScale::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AxisScale {
    /// Equal steps have equal lengths.
    #[default]
    Linear,
    /// Equal factors have equal lengths; marked at powers of ten.
    Log10,
    /// Equal factors have equal lengths; marked at powers of two.
    Log2,
}

/// Beyond this, differences of values on a linear axis would overflow; below its
/// inverse, steps would vanish.
const LARGEST: f64 = 1e300;

/// An axis from `low` to `high`; on a logarithmic axis these are exponents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    scale: AxisScale,
    low: f64,
    high: f64,
}

impl Axis {
    /// A linear axis between two bounds that the caller knows to be sound.
    pub fn between(low: f64, high: f64) -> Self {
        Axis {
            scale: AxisScale::Linear,
            low,
            high,
        }
    }

    /// An axis that just holds the values; those without a place are ignored.
    pub fn around(scale: AxisScale, values: impl Iterator<Item = f64>) -> Self {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for v in values
            .filter(|v| has_place(scale, *v))
            .map(|v| transform(scale, v))
        {
            low = low.min(v);
            high = high.max(v);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low <= 1e-9 * high.abs().max(low.abs()) {
            let margin = match scale {
                AxisScale::Linear if high != 0.0 => 0.5 * high.abs(),
                _ => 1.0,
            };
            (low, high) = (low - margin, high + margin);
        }
        Axis { scale, low, high }
    }

    /// The axis with room at its ends; a short logarithmic axis is widened to
    /// whole powers, so that at least two of them are marked.
    pub fn with_room(mut self) -> Self {
        let span = self.high - self.low;
        if self.scale != AxisScale::Linear && span < 3.0 {
            self.low = (self.low + 1e-9).floor();
            self.high = (self.high - 1e-9).ceil().max(self.low + 1.0);
        } else {
            self.low -= 0.03 * span;
            self.high += 0.03 * span;
        }
        self
    }

    /// The axis with one more power at its low end: room for values of zero.
    pub fn with_floor(mut self) -> Self {
        self.low -= 1.0;
        self
    }

    /// Where the value lies, from 0 at the low end to 1 at the high end; values
    /// beyond an end lie on it. `None` for NaN.
    pub fn place(&self, value: f64) -> Option<f64> {
        if value.is_nan() {
            return None;
        }
        if self.scale != AxisScale::Linear && value <= 0.0 {
            return Some(0.0);
        }
        let t = transform(self.scale, value);
        Some(((t - self.low) / (self.high - self.low)).clamp(0.0, 1.0))
    }

    /// The marked places with their numbers, at most about `most` of them.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let step = match self.scale {
            AxisScale::Linear => nice_step((self.high - self.low) / most as f64),
            _ => nice_step((self.high - self.low) / most as f64)
                .max(1.0)
                .ceil(),
        };
        let first = (self.low / step - 1e-6).ceil();
        let count = ((self.high / step + 1e-6).floor() - first).clamp(0.0, 4.0 * most as f64);
        let tick = |k: usize| {
            let t = (first + k as f64) * step;
            let place = ((t - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
            (place, number(self.scale, t, step))
        };
        (0..=count as usize).map(tick).collect()
    }

    /// Unnumbered places between the ticks: 2 to 9 within each decade, if the
    /// decades are few enough to tell them apart.
    pub fn minor_ticks(&self) -> Vec<f64> {
        if self.scale != AxisScale::Log10 || self.high - self.low > 8.0 {
            return Vec::new();
        }
        let mut places = Vec::new();
        let mut decade = self.low.floor();
        while decade <= self.high {
            for m in 2..10 {
                let t = decade + f64::from(m).log10();
                if t > self.low && t < self.high {
                    places.push((t - self.low) / (self.high - self.low));
                }
            }
            decade += 1.0;
        }
        places
    }
}

fn has_place(scale: AxisScale, value: f64) -> bool {
    value.is_finite() && (scale == AxisScale::Linear || value > 0.0)
}

fn transform(scale: AxisScale, value: f64) -> f64 {
    match scale {
        AxisScale::Linear if value.abs() < 1.0 / LARGEST => 0.0,
        AxisScale::Linear => value.clamp(-LARGEST, LARGEST),
        AxisScale::Log10 => value.log10(),
        AxisScale::Log2 => value.log2(),
    }
}

/// The next of 1, 2, 5 times a power of ten that is not below `raw`.
pub(crate) fn nice_step(raw: f64) -> f64 {
    let power = 10f64.powf(raw.log10().floor());
    let factor = raw / power;
    let nice = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|n| factor <= n * (1.0 + 1e-9));
    nice.unwrap_or(10.0) * power
}

/// A tick's number; `t` is an exponent on a logarithmic axis.
fn number(scale: AxisScale, t: f64, step: f64) -> String {
    match scale {
        AxisScale::Linear => plain_number(t, step),
        AxisScale::Log10 => power("10", t),
        AxisScale::Log2 if (0.0..=13.0).contains(&t) => format!("{}", t.exp2()),
        AxisScale::Log2 => power("2", t),
    }
}

/// A value as a decimal with the digits that a step of that size needs.
pub(crate) fn plain_number(value: f64, step: f64) -> String {
    let value = if value.abs() < 1e-9 * step {
        0.0
    } else {
        value
    };
    if value != 0.0 && (step < 1e-4 || value.abs() >= 1e6) {
        let digits = (value.abs().log10().floor() - step.log10().floor()).clamp(0.0, 8.0);
        return format!("{value:.*e}", digits as usize);
    }
    let digits = (-(step.log10() + 1e-9).floor()).clamp(0.0, 8.0);
    format!("{value:.*}", digits as usize)
}

/// `base` with a raised exponent.
fn power(base: &str, exponent: f64) -> String {
    let raise = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' => '⁰',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    let exponent: String = format!("{}", exponent.round() as i64)
        .chars()
        .map(raise)
        .collect();
    format!("{base}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks(6).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn decades_are_marked_by_whole_powers_of_ten() {
        let axis =
            Axis::around(AxisScale::Log10, [2e-6, 0.5, 0.0, f64::NAN].into_iter()).with_room();
        assert_eq!(labels(&axis), ["10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹"]);
        assert!((axis.place(1e-3).unwrap() - 0.5).abs() < 1e-9);
        assert_eq!(axis.place(-1.0), Some(0.0));
        assert_eq!(axis.place(f64::INFINITY), Some(1.0));
        assert_eq!(axis.place(f64::NAN), None);
    }

    #[test]
    fn linear_ticks_are_round_numbers() {
        assert_eq!(
            labels(&Axis::between(0.0, 1.0)),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        let axis = Axis::around(AxisScale::Linear, [0.0, 950.0].into_iter());
        assert_eq!(labels(&axis), ["0", "200", "400", "600", "800"]);
    }

    #[test]
    fn any_values_make_a_sound_axis() {
        let odd = [
            vec![],
            vec![f64::NAN, f64::INFINITY],
            vec![0.0],
            vec![3.0, 3.0],
            vec![f64::MIN, f64::MAX],
            vec![1e16, 1e16 + 2.0],
            vec![5e-324],
            vec![-1.0, -2.0],
        ];
        for scale in [AxisScale::Linear, AxisScale::Log10, AxisScale::Log2] {
            for values in &odd {
                let axis = Axis::around(scale, values.iter().copied()).with_room();
                let ticks = axis.ticks(7);
                assert!(
                    !ticks.is_empty() && ticks.len() < 30,
                    "{scale:?} {values:?} {ticks:?}"
                );
                assert!(ticks.iter().all(|(place, _)| (0.0..=1.0).contains(place)));
                for &v in values.iter().filter(|v| !v.is_nan()) {
                    assert!((0.0..=1.0).contains(&axis.place(v).unwrap()));
                }
            }
        }
    }
}
