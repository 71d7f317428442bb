//! Datasets that grow by rows.

use crate::vtk::Values;
use hdf5_metno::types::{FloatSize, IntSize, TypeDescriptor};
use hdf5_metno::{Dataset, Error, Group, H5Type, Result};
use ndarray::{ArrayView1, ArrayView2, s};

/// Deflate cannot shrink data by more than this factor, so no honest dataset holds more than this times its bytes.
const LARGEST_RATIO: u64 = 1040;

/// Makes an empty dataset for rows of `components` numbers of the type of `like`.
pub(super) fn create(
    group: &Group,
    name: &str,
    like: &Values,
    components: usize,
    level: u32,
) -> Result<Dataset> {
    match like {
        Values::U8(v) => create_typed(group, name, v, components, level),
        Values::I32(v) => create_typed(group, name, v, components, level),
        Values::I64(v) => create_typed(group, name, v, components, level),
        Values::F32(v) => create_typed(group, name, v, components, level),
        Values::F64(v) => create_typed(group, name, v, components, level),
    }
}

fn create_typed<T: H5Type>(
    group: &Group,
    name: &str,
    like: &[T],
    components: usize,
    level: u32,
) -> Result<Dataset> {
    // A chunk holds about one frame, within reason.
    let rows = (like.len() / components).clamp(64, 1 << 15);
    let mut builder = group.new_dataset_builder();
    if level > 0 {
        builder = builder.shuffle().deflate(level as u8);
    }
    let builder = builder.empty::<T>();
    if components == 1 {
        builder.shape(0..).chunk(rows).create(name)
    } else {
        let shape = [(0, None), (components, Some(components))];
        builder
            .shape(shape.to_vec())
            .chunk((rows, components))
            .create(name)
    }
}

/// Appends rows.
pub(super) fn append(dataset: &Dataset, values: &Values) -> Result<()> {
    match values {
        Values::U8(v) => append_typed(dataset, v),
        Values::I32(v) => append_typed(dataset, v),
        Values::I64(v) => append_typed(dataset, v),
        Values::F32(v) => append_typed(dataset, v),
        Values::F64(v) => append_typed(dataset, v),
    }
}

fn append_typed<T: H5Type>(dataset: &Dataset, values: &[T]) -> Result<()> {
    let found = TypeDescriptor::clone(&dataset.dtype()?.to_descriptor()?);
    if found != T::type_descriptor() {
        return Err(Error::from(format!(
            "{} holds other numbers",
            dataset.name()
        )));
    }
    let shape = dataset.shape();
    let (rows, components) = (shape[0], shape.get(1).copied().unwrap_or(1));
    let more = values.len() / components;
    if more == 0 {
        return Ok(());
    }
    resize(dataset, rows + more)?;
    let odd = |error: ndarray::ShapeError| Error::from(error.to_string());
    if shape.len() == 1 {
        dataset.write_slice(ArrayView1::from(values), s![rows..rows + more])
    } else {
        let table = ArrayView2::from_shape((more, components), values).map_err(odd)?;
        dataset.write_slice(table, s![rows..rows + more, ..])
    }
}

/// Sets the number of rows.
pub(super) fn resize(dataset: &Dataset, rows: usize) -> Result<()> {
    match dataset.shape().get(1) {
        None => dataset.resize((rows,)),
        Some(components) => dataset.resize((rows, *components)),
    }
}

/// Numbers for each row.
pub(super) fn components(dataset: &Dataset) -> usize {
    dataset.shape().get(1).copied().unwrap_or(1)
}

/// Reads some rows.
pub(super) fn read(dataset: &Dataset, first: usize, rows: usize) -> Result<Values> {
    let descriptor = dataset.dtype()?.to_descriptor()?;
    Ok(match descriptor {
        TypeDescriptor::Unsigned(IntSize::U1) => Values::U8(read_typed(dataset, first, rows)?),
        TypeDescriptor::Integer(IntSize::U4) => Values::I32(read_typed(dataset, first, rows)?),
        TypeDescriptor::Integer(IntSize::U8) => Values::I64(read_typed(dataset, first, rows)?),
        TypeDescriptor::Float(FloatSize::U4) => Values::F32(read_typed(dataset, first, rows)?),
        TypeDescriptor::Float(FloatSize::U8) => Values::F64(read_typed(dataset, first, rows)?),
        other => return Err(Error::from(format!("{} holds {other}", dataset.name()))),
    })
}

/// Reads some rows of a type.
pub(super) fn read_typed<T: H5Type>(
    dataset: &Dataset,
    first: usize,
    rows: usize,
) -> Result<Vec<T>> {
    let shape = dataset.shape();
    let end = first
        .checked_add(rows)
        .filter(|end| shape.first().is_some_and(|all| end <= all));
    let (Some(end), true) = (end, shape.len() <= 2) else {
        let found = format!(
            "{} has the shape {shape:?}, rows {first} to {first} + {rows} are asked for",
            dataset.name()
        );
        return Err(Error::from(found));
    };
    if rows == 0 {
        return Ok(Vec::new());
    }
    let bytes = rows as u64 * components(dataset) as u64 * std::mem::size_of::<T>() as u64;
    if bytes > dataset.storage_size().saturating_mul(LARGEST_RATIO) {
        return Err(Error::from(format!(
            "{} claims more rows than it stores",
            dataset.name()
        )));
    }
    if shape.len() == 1 {
        Ok(dataset
            .read_slice_1d::<T, _>(s![first..end])?
            .into_raw_vec_and_offset()
            .0)
    } else {
        Ok(dataset
            .read_slice_2d::<T, _>(s![first..end, ..])?
            .into_raw_vec_and_offset()
            .0)
    }
}

/// One whole number.
pub(super) fn number(dataset: &Dataset, row: usize, column: usize) -> Result<usize> {
    let values = read_typed::<i64>(dataset, row, 1)?;
    values
        .get(column)
        .and_then(|value| usize::try_from(*value).ok())
        .ok_or_else(|| Error::from(format!("{} holds no count at row {row}", dataset.name())))
}
