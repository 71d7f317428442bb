//! Writing one `.vtp` file: an XML head, then all arrays as compressed binary blocks.

use super::blocks;
use super::xml::escape;
use super::{Array, PolyData, Values};
use crate::TrajectoryError;
use moreau_files::Fault;
use std::fmt::Write;
use std::path::Path;

/// Arrays of integers of the last file of a kind, and what they became in it. Which bodies there are and which corners make a triangle
/// seldom changes from frame to frame, and to compress it takes longer than to see that.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    arrays: Vec<(Values, Vec<u8>)>,
}

/// Writes points, cells and data at a time; gives the size of the file in bytes. `packed` is of the last file of this kind, which had the
/// same compression level.
pub(crate) fn write_vtp(
    path: &Path,
    data: &PolyData,
    time: f64,
    level: u32,
    packed: &mut Packed,
) -> Result<u64, TrajectoryError> {
    data.check()
        .map_err(|fault| TrajectoryError::content(path, fault))?;
    let mut file = File::new(level, packed);
    file.fill(data, time)
        .map_err(|error| TrajectoryError::content(path, odd(&error)))?;
    let mut bytes = file.head.into_bytes();
    bytes.extend(file.body);
    bytes.extend_from_slice(b"\n  </AppendedData>\n</VTKFile>\n");
    moreau_files::write(path, &bytes)
        .map_err(|error| TrajectoryError::system(path, "write", error))?;
    Ok(bytes.len() as u64)
}

fn odd(error: &dyn std::error::Error) -> Fault {
    Fault::of_whole(format!("compression failed ({error})"), "enough memory")
}

struct File<'a> {
    head: String,
    body: Vec<u8>,
    level: u32,
    packed: &'a mut Packed,
    /// Arrays of integers so far.
    integers: usize,
}

impl<'a> File<'a> {
    fn new(level: u32, packed: &'a mut Packed) -> Self {
        Self {
            head: String::new(),
            body: Vec::new(),
            level,
            packed,
            integers: 0,
        }
    }

    fn line(&mut self, text: &str) {
        self.head.push_str(text);
        self.head.push('\n');
    }

    fn fill(&mut self, data: &PolyData, time: f64) -> std::io::Result<()> {
        let (points, cells) = (
            data.point_count(),
            [
                &data.vertices.len(),
                &data.lines.len(),
                &data.triangles.len(),
            ],
        );
        self.line("<?xml version=\"1.0\"?>");
        self.line(
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">",
        );
        self.line("  <PolyData>");
        self.line("    <FieldData>");
        let values = Values::F64(vec![time]);
        self.entry("TimeValue", "NumberOfTuples=\"1\"", &values)?;
        self.line("    </FieldData>");
        let [vertices, lines, triangles] = cells;
        self.line(&format!(
            "    <Piece NumberOfPoints=\"{points}\" NumberOfVerts=\"{vertices}\" NumberOfLines=\"{lines}\" NumberOfStrips=\"0\" NumberOfPolys=\"{triangles}\">",
        ));
        self.line("      <Points>");
        self.entry("Points", "NumberOfComponents=\"3\"", &data.points)?;
        self.line("      </Points>");
        self.cells("Verts", data.vertices.clone(), 1)?;
        self.cells("Lines", data.lines.as_flattened().to_vec(), 2)?;
        self.cells("Polys", data.triangles.as_flattened().to_vec(), 3)?;
        self.data("PointData", &data.point_data)?;
        self.data("CellData", &data.cell_data)?;
        self.line("    </Piece>");
        self.line("  </PolyData>");
        self.line("  <AppendedData encoding=\"raw\">");
        self.head.push('_');
        Ok(())
    }

    fn cells(&mut self, tag: &str, corners: Vec<i32>, size: usize) -> std::io::Result<()> {
        let count = corners.len() / size;
        // The number of corners of a frame fits into 31 bits by the check of the points for all but absurd frames;
        // 64 bits for the ends cost nothing once compressed.
        let ends = (1..=count).map(|cell| (cell * size) as i64).collect();
        self.line(&format!("      <{tag}>"));
        self.entry("connectivity", "", &Values::I32(corners))?;
        self.entry("offsets", "", &Values::I64(ends))?;
        self.line(&format!("      </{tag}>"));
        Ok(())
    }

    fn data(&mut self, tag: &str, arrays: &[Array]) -> std::io::Result<()> {
        self.line(&format!("      <{tag}>"));
        for array in arrays {
            let components = format!("NumberOfComponents=\"{}\"", array.components);
            self.entry(&array.name, &components, &array.values)?;
        }
        self.line(&format!("      </{tag}>"));
        Ok(())
    }

    /// Describes an array in the head and puts it into the body.
    fn entry(&mut self, name: &str, attribute: &str, values: &Values) -> std::io::Result<()> {
        let (kind, name, offset) = (values.type_name(), escape(name), self.body.len());
        let space = if attribute.is_empty() { "" } else { " " };
        let _ = writeln!(
            self.head,
            "        <DataArray type=\"{kind}\" Name=\"{name}\"{space}{attribute} format=\"appended\" offset=\"{offset}\"/>",
        );
        if !values.are_integers() {
            return blocks::encode(values, self.level, &mut self.body);
        }
        let index = self.integers;
        self.integers += 1;
        if let Some((_, packed)) = self.packed.arrays.get(index).filter(|(v, _)| v == values) {
            self.body.extend(packed);
            return Ok(());
        }
        blocks::encode(values, self.level, &mut self.body)?;
        let packed = (values.clone(), self.body[offset..].to_vec());
        match self.packed.arrays.get_mut(index) {
            Some(before) => *before = packed,
            None => self.packed.arrays.push(packed),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_before_changes_no_byte() {
        let frame = |triangles: &[[i32; 3]], tag: i64, x: f32| PolyData {
            points: Values::F32((0..12).map(|k| x + k as f32).collect()),
            triangles: triangles.to_vec(),
            point_data: vec![
                Array::new("tag", 1, Values::I64(vec![tag; 4])),
                Array::new("speed", 1, Values::F32(vec![x; 4])),
            ],
            ..PolyData::default()
        };
        let (one, two) = (&[[0, 1, 2]][..], &[[0, 1, 2], [1, 2, 3]][..]);
        // As before, other numbers, fewer and more triangles, another tag behind the same triangles, and back.
        let frames = [
            frame(two, 7, 0.0),
            frame(two, 7, 0.0),
            frame(two, 7, 0.5),
            frame(one, 7, 0.5),
            frame(one, 8, 0.5),
            frame(two, 7, 0.5),
            PolyData::default(),
            frame(two, 7, 0.5),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frame.vtp");
        let mut packed = Packed::default();
        let written = |frame: &PolyData, packed: &mut Packed| {
            write_vtp(&path, frame, 0.25, 2, packed).unwrap();
            std::fs::read(&path).unwrap()
        };
        for (number, frame) in frames.iter().enumerate() {
            let alone = written(frame, &mut Packed::default());
            assert!(written(frame, &mut packed) == alone, "frame {number}");
        }
    }
}
