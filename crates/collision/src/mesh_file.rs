//! Surfaces from files: STL and OBJ.

use crate::shapes::Surface;
use glam::DVec3;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file is no surface.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{}: {reason}", file.display())]
pub struct MeshFileError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub reason: String,
}

/// Bytes before the first triangle of a binary STL file: a free text and the number of triangles.
const STL_HEADER: usize = 84;
/// Bytes of each triangle of a binary STL file.
const STL_TRIANGLE: usize = 50;

/// Reads the triangles of an STL file (binary or ASCII) or of all objects of an OBJ file; which of the two, its name's
/// ending says. Lengths are taken as they are. Nothing is checked about the surface but that its numbers are finite and
/// its indices in range.
///
/// ```
/// use moreau_collision::mesh_file::load_surface;
///
/// let path = std::env::temp_dir().join(format!("triangle_{}.obj", std::process::id()));
/// std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
/// assert_eq!(load_surface(&path)?.triangles, [[0, 1, 2]]);
/// std::fs::remove_file(&path).unwrap();
/// assert!(load_surface(&path).is_err());
/// # Ok::<(), moreau_collision::mesh_file::MeshFileError>(())
/// ```
///
/// # Errors
/// When the file cannot be read, has another ending, is cut short, or holds no triangle.
pub fn load_surface(path: impl AsRef<Path>) -> Result<Surface, MeshFileError> {
    let path = path.as_ref();
    let refuse = |reason: String| MeshFileError {
        file: path.to_path_buf(),
        reason,
    };
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    let parse = match ending.as_str() {
        "stl" => parse_stl,
        "obj" => parse_obj,
        _ => {
            return Err(refuse(format!(
                "its ending is \"{ending}\"; .stl and .obj can be read"
            )));
        }
    };
    let bytes = std::fs::read(path).map_err(|error| refuse(error.to_string()))?;
    let surface = parse(bytes).map_err(&refuse)?;
    if surface.triangles.is_empty() {
        return Err(refuse("it holds no triangle".into()));
    }
    if let Some(index) = surface.vertices.iter().position(|v| !v.is_finite()) {
        let vertex = surface.vertices[index];
        return Err(refuse(format!("vertex {index} is {vertex}")));
    }
    let count = surface.vertices.len();
    let indices = surface.triangles.iter().flatten();
    match indices.copied().find(|&i| i as usize >= count) {
        Some(index) => Err(refuse(format!(
            "a triangle refers to vertex {index} of {count}, counted from 0"
        ))),
        None => Ok(surface),
    }
}

fn parse_stl(mut bytes: Vec<u8>) -> Result<Surface, String> {
    let claimed = bytes
        .get(STL_HEADER - 4..STL_HEADER)
        .and_then(|b| b.try_into().ok())
        .map(u32::from_le_bytes);
    let needed = claimed.map(|n| STL_HEADER as u64 + STL_TRIANGLE as u64 * u64::from(n));
    let length = bytes.len() as u64;
    // Binary files may begin with "solid" too; their length gives them away.
    let ascii = bytes.trim_ascii_start().starts_with(b"solid") && needed != Some(length);
    if !ascii {
        let (Some(claimed), Some(needed)) = (claimed, needed) else {
            return Err(format!(
                "it has {length} bytes, fewer than the {STL_HEADER} of a binary STL header"
            ));
        };
        if length < needed {
            return Err(format!(
                "it is cut short: {claimed} triangles need {needed} bytes, it has {length}"
            ));
        }
        // The free text decides nothing for the reader.
        bytes[..STL_HEADER - 4].fill(0);
    }
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let triangles: Option<Vec<[u32; 3]>> = mesh
        .faces
        .iter()
        .map(|face| {
            let [a, b, c] = face.vertices.map(|i| u32::try_from(i).ok());
            Some([a?, b?, c?])
        })
        .collect();
    Ok(Surface {
        vertices: mesh
            .vertices
            .iter()
            .map(|v| DVec3::new(v[0].into(), v[1].into(), v[2].into()))
            .collect(),
        triangles: triangles.ok_or("it has more than 2³² vertices")?,
    })
}

fn parse_obj(bytes: Vec<u8>) -> Result<Surface, String> {
    let options = tobj::LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..Default::default()
    };
    // Materials are of no use here, and the files that hold them need not exist.
    let no_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut Cursor::new(bytes), &options, no_materials)
        .map_err(|error| error.to_string())?;
    let mut surface = Surface::default();
    for model in &models {
        let first = surface.vertices.len() as u32;
        let positions = model.mesh.positions.chunks_exact(3);
        surface
            .vertices
            .extend(positions.map(|p| DVec3::new(p[0], p[1], p[2])));
        for triangle in model.mesh.indices.chunks_exact(3) {
            let shifted = |i: u32| first.checked_add(i).ok_or("it has more than 2³² vertices");
            let [a, b, c] = [triangle[0], triangle[1], triangle[2]].map(shifted);
            surface.triangles.push([a?, b?, c?]);
        }
    }
    Ok(surface)
}
