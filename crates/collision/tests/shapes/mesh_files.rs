//! Surfaces come back from files as they were written, and damaged files are refused.

use crate::common;

use glam::DVec3;
use moreau_collision::mesh_file::load_surface;
use moreau_collision::shapes::TriangleMesh;
use std::fmt::Write;
use std::path::PathBuf;

fn write(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn corners(mesh: &TriangleMesh) -> Vec<[DVec3; 3]> {
    let place = |t: &[u32; 3]| t.map(|i| mesh.vertices[i as usize]);
    mesh.triangles.iter().map(place).collect()
}

fn binary(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = b"solid is a trap for readers of binary files".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for triangle in corners(mesh) {
        bytes.extend([0; 12]);
        for x in triangle.iter().flat_map(|p| p.to_array()) {
            bytes.extend((x as f32).to_le_bytes());
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn ascii(mesh: &TriangleMesh) -> String {
    let mut text = "solid cube\n".to_string();
    for triangle in corners(mesh) {
        text += "facet normal 0 0 0\nouter loop\n";
        for p in triangle {
            writeln!(text, "vertex {} {} {}", p.x, p.y, p.z).unwrap();
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid cube\n"
}

fn obj(mesh: &TriangleMesh) -> String {
    let mut text = "mtllib missing.mtl\no cube\n".to_string();
    for p in &mesh.vertices {
        writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).unwrap();
    }
    text
}

#[test]
fn meshes_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = common::box_mesh(DVec3::new(0.5, 1.0, 2.0), 2);
    for path in [
        write(&folder, "binary.stl", &binary(&mesh)),
        write(&folder, "ascii.STL", ascii(&mesh).as_bytes()),
        write(&folder, "mesh.obj", obj(&mesh).as_bytes()),
    ] {
        let surface = load_surface(&path).unwrap();
        let back = TriangleMesh::new(surface.vertices, surface.triangles).unwrap();
        assert_eq!(corners(&back), corners(&mesh), "{}", path.display());
    }
}

#[test]
fn damaged_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = common::box_mesh(DVec3::ONE, 1);
    let good = binary(&mesh);
    let mut huge = good.clone();
    huge[80..84].fill(0xFF);
    huge[..5].fill(b'x');
    let mut cut = good[..good.len() - 7].to_vec();
    cut[..5].fill(b'x');
    let mut nan = good.clone();
    nan[84 + 12..84 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    let mut none = good[..84].to_vec();
    none[80..].fill(0);
    let text = ascii(&mesh);
    for (name, bytes, reason) in [
        ("huge.stl", huge, "cut short"),
        ("cut.stl", cut, "cut short"),
        ("nan.stl", nan, "NaN"),
        ("none.stl", none, "no triangle"),
        ("short.stl", good[..40].to_vec(), ""),
        ("empty.stl", Vec::new(), "0 bytes"),
        (
            "cut_ascii.stl",
            text.as_bytes()[..text.len() / 2].to_vec(),
            "",
        ),
        ("empty.obj", Vec::new(), "no triangle"),
        ("wild.obj", b"v 0 0 0\nf 1 2 3\n".to_vec(), ""),
        ("words.obj", b"v 0 zero 0\n".to_vec(), ""),
        ("mesh.ply", good.clone(), "ending"),
    ] {
        let error = load_surface(write(&folder, name, &bytes))
            .unwrap_err()
            .to_string();
        assert!(error.contains(name) && error.contains(reason), "{error}");
    }
    let missing = load_surface(folder.path().join("missing.stl")).unwrap_err();
    assert!(missing.to_string().contains("missing.stl"));
}

#[test]
fn no_damaged_byte_makes_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = common::box_mesh(DVec3::ONE, 1);
    let mut random = common::Random(5);
    let files = [
        ("a.stl", binary(&mesh)),
        ("b.stl", ascii(&mesh).into_bytes()),
        ("c.obj", obj(&mesh).into_bytes()),
    ];
    for (name, bytes) in files {
        for _ in 0..200 {
            let mut bytes = bytes.clone();
            for _ in 0..3 {
                let place = random.between(0.0, bytes.len() as f64) as usize;
                bytes[place] = random.between(0.0, 256.0) as u8;
            }
            let _ = load_surface(write(&folder, name, &bytes));
        }
    }
}
