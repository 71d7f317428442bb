//! Fixed bodies may share corners and edges; of those that share most of their volume a warning tells.

use super::build;

/// Fixed bodies above a ball that needs room and gives the scene its step.
fn warnings(bodies: &[(&str, &str, [f64; 3])]) -> Vec<String> {
    let mut text = String::from(
        "duration = 1\n[[bodies]]\nshape = { type = 'sphere', radius = 0.1 }\nmass = 1\nposition = [0, 0, -9]\n",
    );
    for (name, shape, position) in bodies {
        text += &format!(
            "[[bodies]]\nname = '{name}'\nkind = 'fixed'\nshape = {{ {shape} }}\nposition = {position:?}\n"
        );
    }
    build(&text).warnings
}

const SLAB: &str = "type = 'box', half_extents = [1, 1, 0.1]";

#[test]
fn two_slabs_in_each_other_are_told_with_names_and_depth() {
    let told = warnings(&[("w1", SLAB, [0.0; 3]), ("w2", SLAB, [0.2, 0.0, 0.05])]);
    assert_eq!(told.len(), 1, "{told:?}");
    // 1.8 × 2 × 0.15 of 2 × 2 × 0.2.
    for part in ["warning", "'w1'", "'w2'", "68 %", "0.150 m deep"] {
        assert!(told[0].contains(part), "{part} in {}", told[0]);
    }
}

#[test]
fn a_ball_mostly_in_a_box_is_told_and_one_half_in_it_is_not() {
    let ball = "type = 'sphere', radius = 0.5";
    let block = "type = 'box', half_extents = [1, 1, 1]";
    let at = |z: f64| warnings(&[("ball", ball, [0.0, 0.0, z]), ("block", block, [0.0; 3])]);
    // A cap of height h holds h² (3 r − h) / 4 r³: at 0.25 below the top 84 % are inside.
    let told = at(0.75);
    assert_eq!(told.len(), 1, "{told:?}");
    let (before, _) = told[0]
        .split_once(" % of 'ball' is inside 'block'")
        .unwrap();
    let share: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((share - 84.4).abs() <= 2.0, "{share}");
    assert!(at(1.0).is_empty() && at(1.1).is_empty());
}

#[test]
fn walls_of_a_container_and_a_pillar_in_its_floor_are_not_told() {
    let along = "type = 'box', half_extents = [1.1, 0.1, 0.5]";
    let across = "type = 'box', half_extents = [0.1, 1.1, 0.5]";
    let floor = "type = 'box', half_extents = [1.1, 1.1, 0.1]";
    let pillar = "type = 'cylinder', radius = 0.1, half_height = 0.5";
    let told = warnings(&[
        ("front", along, [0.0, -1.0, 0.5]),
        ("back", along, [0.0, 1.0, 0.5]),
        ("left", across, [-1.0, 0.0, 0.5]),
        ("right", across, [1.0, 0.0, 0.5]),
        ("floor", floor, [0.0; 3]),
        ("pillar", pillar, [0.0, 0.0, 0.4]),
    ]);
    assert!(told.is_empty(), "{told:?}");
    // A block in the room of a container is not in its walls.
    let room = "type = 'open_box', half_extents = [1, 1, 1], thickness = 0.1";
    let block = "type = 'box', half_extents = [0.5, 0.5, 0.5]";
    let told = warnings(&[("room", room, [0.0; 3]), ("block", block, [0.0; 3])]);
    assert!(told.is_empty(), "{told:?}");
}
