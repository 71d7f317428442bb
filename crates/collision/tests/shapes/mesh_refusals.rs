//! Every way in which triangles are no closed surface is refused with its reason.

use crate::common;

use glam::DVec3;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::{ConvexHull, HeightField, Shape, TriangleMesh, decompose};
use std::sync::Arc;

fn tetrahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    (vertices, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

fn reason(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> String {
    TriangleMesh::new(vertices, triangles)
        .unwrap_err()
        .to_string()
}

#[test]
fn a_tetrahedron_is_a_mesh() {
    let (v, t) = tetrahedron();
    let mesh = TriangleMesh::new(v, t).unwrap();
    assert!((mesh.volume_properties().unwrap().volume - 1.0 / 6.0).abs() < 1e-15);
    assert!(mesh.is_convex());
    let text = serde_json::to_string(&mesh).unwrap();
    assert_eq!(serde_json::from_str::<TriangleMesh>(&text).unwrap(), mesh);
    assert!(serde_json::from_str::<TriangleMesh>(&text.replace("[1,2,3]", "[1,2,9]")).is_err());
}

#[test]
fn bad_meshes_are_named() {
    let (v, t) = tetrahedron();
    let open = reason(v.clone(), [&t[..3], &[[0, 0, 0]]].concat());
    assert!(open.contains("are 3"), "{open}");
    let cube = common::box_mesh(DVec3::ONE, 1);
    let open = reason(cube.vertices.clone(), cube.triangles[1..].to_vec());
    assert!(
        open.contains("3 border edges") && open.contains("1"),
        "{open}"
    );
    let reversed = t.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert!(reason(v.clone(), reversed).contains("reverse them"));
    let mut flipped = t.clone();
    flipped[3].swap(0, 1);
    assert!(reason(v.clone(), flipped).contains("opposite sides"));
    let mut nan = v.clone();
    nan[2].y = f64::NAN;
    assert!(reason(nan, t.clone()).contains("vertex 2"));
    let mut wild = t.clone();
    wild[0][0] = 4;
    assert!(reason(v, wild).contains("refers to vertex 4"));
}

#[test]
fn hulls_and_fields_are_checked() {
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
    assert!(ConvexHull::from_points(&flat).is_err());
    assert!(ConvexHull::from_points(&flat[..3]).is_err());
    assert!(HeightField::new(2, 2, [1.0, 1.0], vec![0.0; 3]).is_err());
    assert!(HeightField::new(1, 4, [1.0, 1.0], vec![0.0; 4]).is_err());
    assert!(HeightField::new(2, 2, [1.0, 0.0], vec![0.0; 4]).is_err());
}

/// The solid over an L, whose corners come in their order from the outer one on, between two heights.
fn angle_iron(outline: [(f64, f64); 6], heights: [f64; 2]) -> TriangleMesh {
    let [low, high] = heights;
    let mut v: Vec<DVec3> = outline.map(|(x, y)| DVec3::new(x, y, low)).to_vec();
    v.extend(outline.map(|(x, y)| DVec3::new(x, y, high)));
    let mut t = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        t.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    for k in 0..6_u32 {
        let l = (k + 1) % 6;
        t.extend([[k, l, l + 6], [k, l + 6, k + 6]]);
    }
    TriangleMesh::new(v, t).unwrap()
}

/// The cuts of this one leave a sliver of a fortieth of the half-width.
#[test]
fn slivers_do_not_decide_the_size_of_a_mesh_in_pieces() {
    let outline = [
        (-1., -1.),
        (2., -1.),
        (2., 0.),
        (0., 0.),
        (0., 2.),
        (-1., 2.),
    ];
    let pieces = decompose(&angle_iron(outline, [-0.5, 0.5])).unwrap();
    // Half a width is 0.5, a volume of 5 by a surface of 22 the least.
    let size = Shape::Compound(Arc::new(pieces)).size();
    assert!((5.0 / 22.0 - 1e-9..=0.5 + 1e-9).contains(&size), "{size}");
}

#[test]
fn an_angle_iron_is_not_convex_and_is_cut_in_pieces() {
    let outline = [(0., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)];
    let mesh = angle_iron(outline, [0.0, 1.0]);
    assert!(!mesh.is_convex());
    let pieces = decompose(&mesh).unwrap();
    assert!(pieces.parts.len() > 1);
    // The pieces fill what the mesh fills, about; what it weighs is known exactly.
    let volume_of = |(_, piece): &(Pose, Shape)| piece.volume_properties().unwrap().volume;
    let volume: f64 = pieces.parts.iter().map(volume_of).sum();
    assert!((volume / 3.0 - 1.0).abs() < 0.1, "{volume}");
    let solid = pieces.volume_properties().unwrap();
    assert!((solid.volume - 3.0).abs() < 1e-12, "{}", solid.volume);
    let centre = DVec3::new(2.5, 2.5, 1.5) / 3.0;
    assert!((solid.centre - centre).length() < 1e-12, "{}", solid.centre);
    assert_eq!(Some(solid), mesh.volume_properties());
    // Both arms are 1 wide: half a width is 0.5, a volume of 3 by a surface of 14 the least.
    let size = Shape::Compound(Arc::new(pieces)).size();
    assert!((3.0 / 14.0 - 1e-9..=0.5 + 1e-9).contains(&size), "{size}");
}
