//! Spheres from a file of `x y z r`.

use super::generators::Common;
use super::{Builder, Told};
use crate::model::Generator;
use glam::DVec3;
use moreau_collision::shapes::{Shape, Sphere};
use moreau_dynamics::bodies::NewBody;
use std::collections::HashMap;
use std::io::{BufRead, BufReader};

impl<'a> Builder<'a> {
    pub(super) fn csv(&mut self, path: &str, generator: &'a Generator) -> Result<(), Told> {
        let Generator::Csv {
            name,
            path: file,
            density,
            material,
            offset,
            velocity,
        } = generator
        else {
            return Ok(());
        };
        let (material, density) = self.material_and_density(path, material.as_deref(), *density)?;
        let at = format!("{path}.path");
        let place = self.scene.directory.join(file);
        let opened = std::fs::File::open(&place)
            .map_err(|error| self.file_error(&at, &place, format!("{file}: {error}")))?;
        let reader = BufReader::new(opened);
        let common = Common {
            path,
            name: name.as_deref(),
            velocity: DVec3::from_array(*velocity),
        };
        // Equal radii share a shape.
        let mut shapes: HashMap<u64, u32> = HashMap::new();
        let mut count = 0;
        let mut may_be_header = true;
        for (number, line) in reader.lines().enumerate() {
            let number = number + 1;
            let line = line.map_err(|error| format!("{file}, line {number}: {error}"));
            let line = self.told(&at, line)?;
            let sphere = match parse_line(&line) {
                Ok(None) => continue,
                Ok(Some(sphere)) => sphere,
                Err(_) if may_be_header && starts_with_a_word(&line) => {
                    may_be_header = false;
                    continue;
                }
                Err(reason) => {
                    return Err(self.error(&at, format!("{file}, line {number}: {reason}")));
                }
            };
            may_be_header = false;
            let [x, y, z, radius] = sphere;
            let shape = *shapes
                .entry(radius.to_bits())
                .or_insert_with(|| self.simulation.add_shape(Shape::Sphere(Sphere { radius })));
            let place = DVec3::new(x, y, z) + DVec3::from_array(*offset);
            let body = NewBody::rigid(shape, density).at(place).of(material);
            self.add_generated(&common, count, body)?;
            count += 1;
        }
        if count == 0 {
            return Err(self.error(&at, format!("{file} holds no line of x y z r")));
        }
        Ok(())
    }
}

fn starts_with_a_word(line: &str) -> bool {
    let line = line.trim_start().trim_start_matches(['"', '#']);
    line.trim_start().starts_with(|c: char| c.is_alphabetic())
}

/// The four numbers of a line; `None` for an empty one or a comment.
fn parse_line(line: &str) -> Result<Option<[f64; 4]>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let mut numbers = [0.0; 4];
    let mut words = line
        .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
        .filter(|word| !word.is_empty());
    for (slot, what) in numbers.iter_mut().zip(["x", "y", "z", "r"]) {
        let word = words
            .next()
            .ok_or_else(|| format!("{what} is missing; expected x y z r"))?;
        *slot = word
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
            .ok_or_else(|| format!("{what} is '{word}'; expected a finite number"))?;
    }
    if let Some(word) = words.next() {
        return Err(format!(
            "'{word}' after x y z r; expected the end of the line"
        ));
    }
    if !(numbers[3] > 0.0) {
        return Err(format!("r is {}; it must be positive", numbers[3]));
    }
    Ok(Some(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_with_commas_or_spaces() {
        assert_eq!(parse_line("1, 2,3 ,4"), Ok(Some([1.0, 2.0, 3.0, 4.0])));
        assert_eq!(parse_line(" 1 2\t3 4 "), Ok(Some([1.0, 2.0, 3.0, 4.0])));
        assert_eq!(parse_line("# nothing"), Ok(None));
        for wrong in ["1 2 3", "1 2 3 nan", "1 2 3 0", "1 2 3 4 5", "x y z r"] {
            assert!(parse_line(wrong).is_err(), "{wrong}");
        }
    }
}
