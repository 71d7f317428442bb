//! Fixed bodies may share corners and edges; those that share most of their volume are refused unless it is meant.

use moreau_scene::Scene;

/// What is wrong with fixed bodies above a ball that needs room and gives the scene its step.
fn refusal(bodies: &[(&str, &str, [f64; 3])]) -> Option<String> {
    let mut text = String::from(
        "duration = 1\n[[bodies]]\nshape = { type = 'sphere', radius = 0.1 }\nmass = 1\nposition = [0, 0, -9]\n",
    );
    for (name, shape, position) in bodies {
        text += &format!(
            "[[bodies]]\nname = '{name}'\nkind = 'fixed'\nshape = {{ {shape} }}\nposition = {position:?}\n"
        );
    }
    let built = Scene::parse(&text, "scene.toml").expect("a scene").build();
    let refusal = built.err().map(|errors| errors.to_string());
    // One word in either of two makes it right.
    for meant in 0..bodies.len() {
        let name = format!("name = '{}'\n", bodies[meant].0);
        let text = text.replace(&name, &format!("{name}embedded = true\n"));
        let built = Scene::parse(&text, "scene.toml").expect("a scene").build();
        assert!(built.expect("as it is meant").warnings.is_empty());
    }
    refusal
}

const SLAB: &str = "type = 'box', half_extents = [1, 1, 0.1]";

#[test]
fn two_slabs_in_each_other_are_refused_with_names_and_depth() {
    let slabs = [("w1", SLAB, [0.0; 3]), ("w2", SLAB, [0.2, 0.0, 0.05])];
    let told = refusal(&slabs).expect("a refusal");
    // 1.8 × 2 × 0.15 of 2 × 2 × 0.2.
    for part in ["'w1' and 'w2' overlap", "68 %", "0.150 m deep", "embedded"] {
        assert!(told.contains(part), "{part} in {told}");
    }
}

#[test]
fn a_ball_mostly_in_a_box_is_refused_and_one_half_in_it_is_not() {
    let ball = "type = 'sphere', radius = 0.5";
    let block = "type = 'box', half_extents = [1, 1, 1]";
    let at = |z: f64| refusal(&[("ball", ball, [0.0, 0.0, z]), ("block", block, [0.0; 3])]);
    // A cap of height h holds h² (3 r − h) / 4 r³: at 0.25 below the top 84 % are inside.
    let told = at(0.75).expect("a refusal");
    let (before, _) = told.split_once(" % of 'ball' is inside 'block'").unwrap();
    let share: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
    assert!((share - 84.4).abs() <= 2.0, "{share}");
    assert!(at(1.0).is_none() && at(1.1).is_none());
}

#[test]
fn walls_of_a_container_and_a_pillar_in_its_floor_are_right() {
    let along = "type = 'box', half_extents = [1.1, 0.1, 0.5]";
    let across = "type = 'box', half_extents = [0.1, 1.1, 0.5]";
    let floor = "type = 'box', half_extents = [1.1, 1.1, 0.1]";
    let pillar = "type = 'cylinder', radius = 0.1, half_height = 0.5";
    let told = refusal(&[
        ("front", along, [0.0, -1.0, 0.5]),
        ("back", along, [0.0, 1.0, 0.5]),
        ("left", across, [-1.0, 0.0, 0.5]),
        ("right", across, [1.0, 0.0, 0.5]),
        ("floor", floor, [0.0; 3]),
        ("pillar", pillar, [0.0, 0.0, 0.4]),
    ]);
    assert!(told.is_none(), "{told:?}");
    // A block in the room of a container is not in its walls.
    let room = "type = 'open_box', half_extents = [1, 1, 1], thickness = 0.1";
    let block = "type = 'box', half_extents = [0.5, 0.5, 0.5]";
    let told = refusal(&[("room", room, [0.0; 3]), ("block", block, [0.0; 3])]);
    assert!(told.is_none(), "{told:?}");
}
