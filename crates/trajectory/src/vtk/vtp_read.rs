//! Reading back the `.vtp` files of this crate, strictly: what it did not write, it refuses.

use super::blocks;
use super::xml::{Tag, next_tag};
use super::{Array, PolyData, Values};
use crate::TrajectoryError;
use moreau_files::Fault;
use std::path::Path;

const END: &[u8] = b"\n  </AppendedData>\n</VTKFile>\n";

/// Points, cells and data, and their time.
pub(crate) fn read_vtp(path: &Path) -> Result<(PolyData, f64), TrajectoryError> {
    let bytes =
        std::fs::read(path).map_err(|error| TrajectoryError::system(path, "read", error))?;
    parse(&bytes).map_err(|fault| TrajectoryError::content(path, fault))
}

fn parse(bytes: &[u8]) -> Result<(PolyData, f64), Fault> {
    const BEGIN: &[u8] = b"<AppendedData encoding=\"raw\">\n_";
    let begin = bytes
        .windows(BEGIN.len())
        .position(|window| window == BEGIN)
        .ok_or_else(|| {
            Fault::of_whole(
                "no <AppendedData encoding=\"raw\">",
                "a complete .vtp file with raw appended data",
            )
        })?;
    let head = std::str::from_utf8(&bytes[..begin])
        .map_err(|_| Fault::of_whole("a head that is not UTF-8", "an XML head"))?;
    let body = bytes[begin + BEGIN.len()..]
        .strip_suffix(END)
        .ok_or_else(|| {
            Fault::of_whole("the file does not end with </VTKFile>", "a complete file")
        })?;
    let mut reader = Reader {
        head,
        at: 0,
        body,
        taken: 0,
    };
    let result = reader.file()?;
    if reader.taken != body.len() {
        return Err(Fault::of_whole(
            format!("{} bytes after the last array", body.len() - reader.taken),
            "none",
        ));
    }
    result.0.check()?;
    Ok(result)
}

struct Reader<'a> {
    head: &'a str,
    at: usize,
    body: &'a [u8],
    /// Bytes of the body up to the end of the last array that was read.
    taken: usize,
}

impl Reader<'_> {
    fn file(&mut self) -> Result<(PolyData, f64), Fault> {
        self.tag("?xml")?;
        let file = self.tag("VTKFile")?;
        file.require("type", "PolyData")?;
        file.require("byte_order", "LittleEndian")?;
        file.require("header_type", "UInt64")?;
        file.require("compressor", "vtkZLibDataCompressor")?;
        self.tag("PolyData")?;
        self.tag("FieldData")?;
        let time = match self.array("TimeValue", 1)? {
            Values::F64(values) => values[0],
            other => {
                let found = format!("TimeValue of type {}", other.type_name());
                return Err(Fault::of_whole(found, "Float64"));
            }
        };
        self.tag("/FieldData")?;
        let piece = self.tag("Piece")?;
        let points: usize = piece.number("NumberOfPoints")?;
        piece.require("NumberOfStrips", "0")?;
        self.tag("Points")?;
        let coordinates = self.array("Points", times(points, 3)?)?;
        self.tag("/Points")?;
        let vertices = self.cells::<1>("Verts", piece.number("NumberOfVerts")?)?;
        let lines = self.cells("Lines", piece.number("NumberOfLines")?)?;
        let triangles = self.cells("Polys", piece.number("NumberOfPolys")?)?;
        let cells = vertices.len() + lines.len() + triangles.len();
        let point_data = self.data("PointData", points)?;
        let cell_data = self.data("CellData", cells)?;
        for end in ["/Piece", "/PolyData"] {
            self.tag(end)?;
        }
        let data = PolyData {
            points: coordinates,
            vertices: vertices.into_iter().map(|[point]| point).collect(),
            lines,
            triangles,
            point_data,
            cell_data,
        };
        Ok((data, time))
    }

    fn next(&mut self) -> Result<Tag, Fault> {
        let tag = next_tag(self.head, self.at)?
            .ok_or_else(|| Fault::of_whole("the head ends early", "a complete file"))?;
        self.at = tag.end;
        Ok(tag)
    }

    fn tag(&mut self, name: &str) -> Result<Tag, Fault> {
        let tag = self.next()?;
        if tag.name == name {
            return Ok(tag);
        }
        Err(Fault::of_whole(
            format!("<{}>", tag.name),
            format!("<{name}>"),
        ))
    }

    /// The values of an array whose tag has been read.
    fn values(&mut self, tag: &Tag, count: usize) -> Result<Values, Fault> {
        let name = tag.get("Name")?;
        tag.require("format", "appended")?;
        let offset: usize = tag.number("offset")?;
        if offset != self.taken {
            let found = format!("array '{name}' at byte {offset}");
            return Err(Fault::of_whole(
                found,
                format!("{} where the one before ends", self.taken),
            ));
        }
        let (values, taken) = blocks::decode(&self.body[offset..], tag.get("type")?, count)
            .map_err(|fault| fault.within(&format!("array '{name}'")))?;
        self.taken += taken;
        Ok(values)
    }

    fn array(&mut self, name: &str, count: usize) -> Result<Values, Fault> {
        let tag = self.tag("DataArray")?;
        tag.require("Name", name)?;
        self.values(&tag, count)
    }

    fn cells<const N: usize>(&mut self, name: &str, count: usize) -> Result<Vec<[i32; N]>, Fault> {
        self.tag(name)?;
        let corners = self.array("connectivity", times(count, N)?)?;
        let ends = self.array("offsets", count)?;
        self.tag(&format!("/{name}"))?;
        let wrong = |what: &str| {
            let right = format!("Int32 corners and Int64 ends of cells of {N}");
            Fault::of_whole(format!("{what} in <{name}>"), right)
        };
        let (Values::I32(corners), Values::I64(ends)) = (corners, ends) else {
            return Err(wrong("other types of numbers"));
        };
        let regular = ends
            .iter()
            .enumerate()
            .all(|(cell, end)| *end == ((cell + 1) * N) as i64);
        if !regular {
            return Err(wrong("cells of other sizes"));
        }
        Ok(corners.as_chunks::<N>().0.to_vec())
    }

    fn data(&mut self, section: &str, count: usize) -> Result<Vec<Array>, Fault> {
        self.tag(section)?;
        let mut arrays = Vec::new();
        loop {
            let tag = self.next()?;
            if tag.name == format!("/{section}") {
                return Ok(arrays);
            }
            if tag.name != "DataArray" {
                let found = format!("<{}> in <{section}>", tag.name);
                return Err(Fault::of_whole(found, "<DataArray>"));
            }
            let components: usize = tag.number("NumberOfComponents")?;
            let values = self.values(&tag, times(count, components)?)?;
            arrays.push(Array::new(tag.get("Name")?, components, values));
        }
    }
}

fn times(count: usize, each: usize) -> Result<usize, Fault> {
    count
        .checked_mul(each)
        .ok_or_else(|| Fault::of_whole(format!("{count} times {each} numbers"), "fewer"))
}
