//! Points, the cells between them, and numbers on both.

use moreau_files::Fault;

/// Numbers of one of the types that our files use.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Bytes.
    U8(Vec<u8>),
    /// 32-bit integers.
    I32(Vec<i32>),
    /// 64-bit integers.
    I64(Vec<i64>),
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
}

impl Values {
    /// How many numbers.
    pub fn len(&self) -> usize {
        match self {
            Values::U8(v) => v.len(),
            Values::I32(v) => v.len(),
            Values::I64(v) => v.len(),
            Values::F32(v) => v.len(),
            Values::F64(v) => v.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One number in double precision, which holds all but integers beyond 2⁵³ exactly.
    ///
    /// # Panics
    /// When the index is out of range.
    pub fn number(&self, index: usize) -> f64 {
        match self {
            Values::U8(v) => v[index].into(),
            Values::I32(v) => v[index].into(),
            Values::I64(v) => v[index] as f64,
            Values::F32(v) => v[index].into(),
            Values::F64(v) => v[index],
        }
    }

    /// One number as text that reads back as the same number.
    ///
    /// # Panics
    /// When the index is out of range.
    pub fn text(&self, index: usize) -> String {
        match self {
            Values::U8(v) => v[index].to_string(),
            Values::I32(v) => v[index].to_string(),
            Values::I64(v) => v[index].to_string(),
            Values::F32(v) => format!("{:?}", v[index]),
            Values::F64(v) => format!("{:?}", v[index]),
        }
    }

    /// Whether they are whole numbers.
    pub(crate) fn are_integers(&self) -> bool {
        matches!(self, Values::U8(_) | Values::I32(_) | Values::I64(_))
    }

    /// VTK's name of the type.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Values::U8(_) => "UInt8",
            Values::I32(_) => "Int32",
            Values::I64(_) => "Int64",
            Values::F32(_) => "Float32",
            Values::F64(_) => "Float64",
        }
    }

    /// An empty one of a type that VTK names.
    pub(crate) fn of_type(name: &str) -> Result<Self, Fault> {
        Ok(match name {
            "UInt8" => Values::U8(Vec::new()),
            "Int32" => Values::I32(Vec::new()),
            "Int64" => Values::I64(Vec::new()),
            "Float32" => Values::F32(Vec::new()),
            "Float64" => Values::F64(Vec::new()),
            _ => {
                return Err(Fault::of_whole(
                    format!("numbers of type '{name}'"),
                    "UInt8, Int32, Int64, Float32 or Float64",
                ));
            }
        })
    }

    /// Bytes of one number.
    pub(crate) fn width(&self) -> usize {
        match self {
            Values::U8(_) => 1,
            Values::I32(_) | Values::F32(_) => 4,
            Values::I64(_) | Values::F64(_) => 8,
        }
    }

    /// Little-endian bytes of a range of the numbers.
    pub(crate) fn bytes(&self, range: std::ops::Range<usize>) -> Vec<u8> {
        match self {
            Values::U8(v) => v[range].to_vec(),
            Values::I32(v) => v[range].iter().flat_map(|x| x.to_le_bytes()).collect(),
            Values::I64(v) => v[range].iter().flat_map(|x| x.to_le_bytes()).collect(),
            Values::F32(v) => v[range].iter().flat_map(|x| x.to_le_bytes()).collect(),
            Values::F64(v) => v[range].iter().flat_map(|x| x.to_le_bytes()).collect(),
        }
    }

    /// Appends numbers of this type from little-endian bytes; a rest shorter than a number is left out.
    pub(crate) fn extend_from_bytes(&mut self, bytes: &[u8]) {
        match self {
            Values::U8(v) => v.extend_from_slice(bytes),
            Values::I32(v) => v.extend(numbers(bytes).map(i32::from_le_bytes)),
            Values::I64(v) => v.extend(numbers(bytes).map(i64::from_le_bytes)),
            Values::F32(v) => v.extend(numbers(bytes).map(f32::from_le_bytes)),
            Values::F64(v) => v.extend(numbers(bytes).map(f64::from_le_bytes)),
        }
    }
}

fn numbers<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> + '_ {
    bytes.as_chunks::<N>().0.iter().copied()
}

/// Named numbers, a fixed count of them for each point or cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The name that viewers show.
    pub name: String,
    /// Numbers for each point or cell; at least 1.
    pub components: usize,
    /// The numbers, those of one point or cell next to each other.
    pub values: Values,
}

impl Array {
    /// A new one.
    pub fn new(name: impl Into<String>, components: usize, values: Values) -> Self {
        Self {
            name: name.into(),
            components,
            values,
        }
    }
}

/// Points, the cells between them, and numbers on both.
#[derive(Clone, Debug, PartialEq)]
pub struct PolyData {
    /// Three coordinates for each point.
    pub points: Values,
    /// Points that are cells by themselves.
    pub vertices: Vec<i32>,
    /// Lines between two points.
    pub lines: Vec<[i32; 2]>,
    /// Triangles.
    pub triangles: Vec<[i32; 3]>,
    /// Numbers on points.
    pub point_data: Vec<Array>,
    /// Numbers on cells: vertices first, then lines, then triangles.
    pub cell_data: Vec<Array>,
}

impl Default for PolyData {
    fn default() -> Self {
        Self {
            points: Values::F64(Vec::new()),
            vertices: Vec::new(),
            lines: Vec::new(),
            triangles: Vec::new(),
            point_data: Vec::new(),
            cell_data: Vec::new(),
        }
    }
}

impl PolyData {
    /// Points without cells but one at each point.
    pub fn of_points(points: Values) -> Self {
        let count = (points.len() / 3) as i32;
        Self {
            points,
            vertices: (0..count).collect(),
            ..Self::default()
        }
    }

    /// The number of points.
    pub fn point_count(&self) -> usize {
        self.points.len() / 3
    }

    /// The number of cells.
    pub fn cell_count(&self) -> usize {
        self.vertices.len() + self.lines.len() + self.triangles.len()
    }

    /// The numbers of a name on the points.
    pub fn on_points(&self, name: &str) -> Option<&Array> {
        self.point_data.iter().find(|array| array.name == name)
    }

    /// The numbers of a name on the cells.
    pub fn on_cells(&self, name: &str) -> Option<&Array> {
        self.cell_data.iter().find(|array| array.name == name)
    }

    /// Whether all parts fit together: what every writer and reader asks for.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if !self.points.len().is_multiple_of(3) {
            let found = format!("{} coordinates", self.points.len());
            return Err(Fault::of_whole(found, "three for each point"));
        }
        let points = self.point_count();
        let limit = i32::try_from(points).map_err(|_| {
            Fault::of_whole(format!("{points} points"), "at most 2147483647 in a frame")
        })?;
        let ends = self.lines.iter().flatten();
        let corners = self.triangles.iter().flatten();
        let mut all = self.vertices.iter().chain(ends).chain(corners);
        if let Some(wrong) = all.find(|index| !(0..limit).contains(*index)) {
            let found = format!("a cell at point {wrong}");
            return Err(Fault::of_whole(
                found,
                format!("a point from 0 to below {points}"),
            ));
        }
        let on_points = self
            .point_data
            .iter()
            .map(|array| (array, points, "points"));
        let cells = self.cell_count();
        let on_cells = self.cell_data.iter().map(|array| (array, cells, "cells"));
        for (array, count, owner) in on_points.chain(on_cells) {
            if array.components == 0
                || Some(array.values.len()) != count.checked_mul(array.components)
            {
                let (found, per) = (array.values.len(), array.components);
                return Err(Fault::of_whole(
                    format!("{found} numbers in '{}'", array.name),
                    format!("{per} for each of the {count} {owner}"),
                ));
            }
        }
        Ok(())
    }
}
