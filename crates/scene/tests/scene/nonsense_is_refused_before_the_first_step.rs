use super::{build, errors};

fn expect(text: &str, words: &str) {
    let told = errors(text).to_string();
    assert!(told.contains(words), "{told}");
}

const BALL: &str = "duration = 1\n[shapes.ball]\ntype = \"sphere\"\nradius = 1\n";

#[test]
fn masses() {
    expect(
        &format!("{BALL}[[bodies]]\nshape = \"ball\"\ndensity = 0"),
        "density is 0; it must be positive",
    );
    expect(
        &format!("{BALL}[[bodies]]\nshape = \"ball\"\nmass = -1"),
        "mass is -1",
    );
    expect(
        &format!("{BALL}[[bodies]]\nshape = \"ball\""),
        "neither density nor mass",
    );
    expect(
        &format!("{BALL}[[bodies]]\nshape = \"ball\"\nmass = 1\ninertia = [1, 1, 5]"),
        "larger than the sum",
    );
    expect(
        &format!("{BALL}[[bodies]]\nshape = \"ball\"\nkind = \"fixed\"\nmass = 1"),
        "means nothing",
    );
}

#[test]
fn steps() {
    expect(
        "duration = 1\n[simulation]\ntime_step = 0",
        "time_step is 0",
    );
    expect("duration = 1\n[simulation]\ntime_step = 2", "longer than");
    expect("duration = 1", "no time_step is set");
}

/// Without a step of its own, a scene shorter than what would suit its bodies ends in time.
#[test]
fn a_short_scene_is_one_step() {
    let mut run = build(
        &format!("{BALL}[[bodies]]\nshape = \"ball\"\ndensity = 1\n")
            .replace("duration = 1", "duration = 0.01"),
    );
    run.step().unwrap();
    assert!(run.is_finished() && run.simulation.time() == 0.01);
}

/// Time does not advance by steps that are lost in its rounding.
#[test]
fn runs_without_end() {
    let body = "[[bodies]]\nmass = 1\ninertia = [1, 1, 1]";
    expect(
        &format!("duration = 1\n[simulation]\ntime_step = 1e-300\n{body}"),
        "takes 1e300 steps; expected at most 1e12",
    );
    expect(
        &format!("duration = 1e300\n[simulation]\ntime_step = 1\n{body}"),
        "a duration of 1e300 s",
    );
}

#[test]
fn measures_that_the_law_does_not_have() {
    let solver = "duration = 1\n[solver]\nmeasure = \"gap\"\nlaw = \"box\"\n";
    expect(solver, "the relaxed law only, not for the box law");
    let solver = "duration = 1\n[solver]\nname = \"apgd\"\nlaw = \"coulomb\"\n";
    expect(solver, "cannot solve the coulomb law; it knows relaxed");
}

#[test]
fn solvers_that_take_joints_only() {
    let body = |name: &str, x: i32, more: &str| {
        format!(
            "[[bodies]]\nname = \"{name}\"\nshape = \"ball\"\ndensity = 1\nposition = [{x}, 0, 0]\n{more}"
        )
    };
    let (a, b) = (body("a", 0, ""), body("b", 40, ""));
    let rod = "[[joints]]\nname = \"rod\"\nbodies = [\"a\", \"b\"]\n\
               kind = { type = \"distance\", points = [[0, 0, 0], [40, 0, 0]] }\n";
    let hinge = |more: &str| {
        let kind = "kind = { type = \"revolute\", point = [0, 0, 0], axis = [0, 0, 1] }";
        format!("[[joints]]\nname = \"hinge\"\nbodies = [\"world\", \"a\"]\n{kind}\n{more}")
    };
    for solver in ["cg", "minres"] {
        let top = format!("{BALL}[solver]\nname = \"{solver}\"\n");
        for (scene, words) in [
            (
                format!("{top}{a}{b}"),
                "'a' and 'b' can collide; expected auto",
            ),
            (
                format!("{top}{a}{}{b}{rod}", body("c", 80, "")),
                "'a' and 'c' can collide",
            ),
            (
                format!("{top}{a}{}", hinge("limits = [{ min = -1, max = 1 }]\n")),
                "'hinge' has limits",
            ),
            (
                format!(
                    "{top}[[emitters]]\nregion = {{ type = \"sphere\", centre = [0, 0, 0], radius = 9 }}\nrate = 1\n\
                     mix = [{{ radius = 1, density = 1 }}]\n"
                ),
                "bodies that come",
            ),
        ] {
            expect(&scene, words);
        }
        // Bodies in groups that do not meet, and joined ones, are a matter of equations.
        let apart = |name, x| body(name, x, "groups = { member = [1], collides = [0] }\n");
        for scene in [
            format!("{top}{a}{b}{rod}"),
            format!("{top}{}{}", apart("a", 0), apart("b", 1)),
            format!("{top}{a}{}", hinge("")),
        ] {
            build(&scene).step().unwrap();
        }
    }
}

#[test]
fn springs_and_joints_to_nobody() {
    let body = format!("{BALL}[[bodies]]\nname = \"a\"\nshape = \"ball\"\ndensity = 1\n");
    expect(
        &format!(
            "{body}[[springs]]\nbodies = [\"a\", \"b\"]\npoints = [[0, 0, 0], [1, 0, 0]]\nstiffness = 1"
        ),
        "there is no body 'b'",
    );
    expect(
        &format!(
            "{body}[[springs]]\nbodies = [\"a\", \"a\"]\npoints = [[0, 0, 0], [1, 0, 0]]\nstiffness = 1"
        ),
        "both ends are 'a'",
    );
    expect(
        &format!(
            "{body}[[sensors]]\nname = \"s\"\nmeasure = {{ type = \"joint_reaction\", joint = \"j\" }}"
        ),
        "there is no joint 'j'",
    );
}

/// What follows from an error is no news.
#[test]
fn joints_to_a_body_that_is_wrong() {
    let told = errors(&format!(
        "{BALL}[[bodies]]\nname = \"a\"\nshape = \"ball\"\n[[joints]]\nbodies = [\"a\", \"world\"]\n\
         kind = {{ type = \"spherical\", point = [0, 0, 0] }}"
    ));
    let told = told.to_string();
    assert!(told.contains("neither density nor mass"), "{told}");
    assert!(!told.contains("there is no body"), "{told}");
}

#[test]
fn bodies_that_the_memory_cannot_hold() {
    // 1e12 bodies of 600 bytes: more than any machine has that this runs on.
    let grid = "[[generators]]\ntype = \"grid\"\nmix = [{ radius = 0.1, density = 1 }]\norigin = [0, 0, 0]\n\
                counts = [10000, 10000, 10000]\nspacing = [1, 1, 1]";
    expect(
        &format!("duration = 1\n{grid}"),
        "this would make 1000000000000 bodies; max_bodies is 50000000",
    );
    expect(
        &format!("duration = 1\nmax_bodies = 4000000000000\n{grid}"),
        "there is no memory for 1000000000000 bodies",
    );
}

#[test]
fn files_that_are_missing() {
    expect(
        "duration = 1\n[[bodies]]\nkind = \"fixed\"\nshape = { type = \"mesh\", path = \"nowhere.stl\" }",
        "nowhere.stl",
    );
    expect(
        "duration = 1\n[[generators]]\ntype = \"csv\"\npath = \"nowhere.csv\"\ndensity = 1",
        "nowhere.csv",
    );
}

#[test]
fn a_mesh_that_is_not_convex_needs_a_word() {
    // A tetrahedron with a dent: the top is pushed in below the middle of two others.
    let corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\n";
    let faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n";
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        directory.path().join("dent.obj"),
        format!("{corners}{faces}"),
    )
    .unwrap();
    let scene = |convex: &str| {
        let text = format!(
            "duration = 1\n[[bodies]]\ndensity = 1\nshape = {{ type = \"mesh\", path = \"dent.obj\"{convex} }}"
        );
        let path = directory.path().join("scene.toml");
        std::fs::write(&path, text).unwrap();
        moreau_scene::Scene::read(&path).unwrap().build()
    };
    let refused = scene("").unwrap_err().to_string();
    assert!(refused.contains("is not convex"), "{refused}");
    assert!(refused.contains("decompose"), "{refused}");
    let hull = scene(", convex = \"hull\"").unwrap();
    assert!((hull.simulation.bodies().masses[0] - 1.0 / 6.0).abs() < 1e-9);
    // Its pieces overlap and fill corners; it weighs what the mesh weighs: 1/6 less the dent, 0.4/6.
    let pieces = scene(", convex = \"decompose\"").unwrap();
    let mass = pieces.simulation.bodies().masses[0];
    assert!((mass - 0.1).abs() < 1e-12, "{mass}");
}

#[test]
fn bodies_inside_one_another() {
    let body = |name: &str, x: f64| {
        format!(
            "[[bodies]]\nname = \"{name}\"\nshape = \"ball\"\ndensity = 1\nposition = [{x}, 0, 0]\n"
        )
    };
    let (a, b) = (body("a", 0.0), body("b", 1.5));
    expect(&format!("{BALL}{a}{b}"), "'a' and 'b' overlap by 50 %");
    let near = body("b", 1.95);
    build(&format!("{BALL}{a}{near}"));
}

#[test]
fn walls_without_room() {
    let wall = |name: &str, z: f64, angle: f64| {
        format!(
            "[[bodies]]\nname = \"{name}\"\nkind = \"fixed\"\nshape = {{ type = \"half_space\" }}\nposition = [0, 0, {z}]\nrotation = {{ axis = [1, 0, 0], angle = {angle} }}\n"
        )
    };
    let ball = "[[bodies]]\nshape = \"ball\"\ndensity = 1\nposition = [0, 0, 2]\n";
    let room = format!(
        "{BALL}{}{}{ball}",
        wall("floor", 0.0, 0.0),
        wall("roof", 4.0, 180.0)
    );
    build(&room);
    let none = format!(
        "{BALL}{}{}{ball}",
        wall("floor", 0.0, 0.0),
        wall("roof", -1.0, 180.0)
    );
    expect(
        &none,
        "'floor' and 'roof' face each other and leave no room",
    );
    let corner = format!(
        "{BALL}{}{}{ball}",
        wall("floor", 0.0, 0.0),
        wall("side", 0.0, 90.0).replace("[0, 0, 0]", "[0, 5, 0]")
    );
    assert!(build(&corner).warnings.is_empty());
}

fn fixed(name: &str, shape: &str, more: &str) -> String {
    format!("[[bodies]]\nname = \"{name}\"\nkind = \"fixed\"\nshape = {shape}\n{more}\n")
}

#[test]
fn half_spaces_that_close_in_threes_and_fours() {
    let ball = "[[bodies]]\nshape = \"ball\"\ndensity = 1\nposition = [0, 0, 100]\n";
    let plane = |name: &str, at: [f64; 3], axis: [f64; 3], angle: f64| {
        let more = format!("position = {at:?}\nrotation = {{ axis = {axis:?}, angle = {angle} }}");
        fixed(name, "{ type = \"half_space\" }", &more)
    };
    // A prism around the y axis whose three sides face outwards or inwards.
    let prism = |distance: f64| {
        let side = |name: &str, angle: f64| {
            let (s, c) = angle.to_radians().sin_cos();
            plane(
                name,
                [-distance * s, 0.0, -distance * c],
                [0.0, 1.0, 0.0],
                angle,
            )
        };
        let sides = [side("one", 0.0), side("two", 120.0), side("three", 240.0)];
        format!("{BALL}{}", sides.concat())
    };
    expect(
        &prism(-1.0),
        "'one', 'two' and 'three' face each other and leave no room",
    );
    assert!(
        build(&format!("{}{}", prism(200.0), ball))
            .warnings
            .is_empty()
    );
    // Three walls and a floor that slope inwards: their normals meet above.
    let slopes = |height: f64| {
        let slope = |name: &str, turn: f64| {
            let (s, c) = turn.to_radians().sin_cos();
            // The z axis, tilted by 120° about a horizontal axis: it points down and outwards.
            plane(name, [0.0, 0.0, height], [c, s, 0.0], 120.0)
        };
        let all = [slope("a", 0.0), slope("b", 120.0), slope("c", 240.0)].concat();
        let floor = fixed("floor", "{ type = \"half_space\" }", "");
        format!("{BALL}{all}{floor}")
    };
    expect(
        &slopes(-1.0),
        "'a', 'b', 'c' and 'floor' face each other and leave no room",
    );
    assert!(
        build(&format!("{}{}", slopes(1000.0), ball))
            .warnings
            .is_empty()
    );
}

#[test]
fn walls_that_cannot_be_meant() {
    let slab = "{ type = \"box\", half_extents = [1, 1, 0.1] }";
    let ground = fixed("ground", "{ type = \"half_space\" }", "");
    let ball = "[[bodies]]\nshape = \"ball\"\ndensity = 1\nposition = [0, 0, 5]\n";
    let wall = |name: &str, more: &str| fixed(name, slab, more);
    let scene = |parts: &[String]| format!("{BALL}{}{ball}", parts.concat());
    let twice = [
        wall("left", "position = [3, 0, 1]"),
        wall("copy", "position = [3, 0, 1]"),
    ];
    expect(
        &scene(&twice),
        "'left' and 'copy' are the same wall in the same place",
    );
    let turned = [
        wall("left", "position = [3, 0, 1]"),
        wall(
            "copy",
            "position = [3, 0, 1]\nrotation = { axis = [0, 0, 1], angle = 360 }",
        ),
    ];
    expect(&scene(&turned), "'left' and 'copy' are the same wall");
    let planes = [ground.clone(), ground.replace("ground", "again")];
    expect(&scene(&planes), "'ground' and 'again' are the same wall");
    let sunk = [ground.clone(), wall("plate", "position = [0, 0, -1]")];
    expect(&scene(&sunk), "'plate' lies wholly inside 'ground'");
    let cube = fixed("block", "{ type = \"box\", half_extents = [2, 2, 2] }", "");
    let inner = fixed(
        "post",
        "{ type = \"cylinder\", half_height = 1, radius = 0.5 }",
        "",
    );
    expect(
        &scene(&[cube.clone(), inner.clone()]),
        "'post' lies wholly inside 'block'",
    );

    let meant = |parts: &[String]| assert!(build(&scene(parts)).warnings.is_empty());
    // Walls of a box that overlap at a corner, a plate flush with the floor, a post that looks out of it, a piston that
    // will come out, and walls for different bodies.
    let side = "position = [1, 0, 1]\nrotation = { axis = [0, 1, 0], angle = 90 }";
    meant(&[wall("left", side), wall("floor", "")]);
    meant(&[ground.clone(), wall("plate", "position = [0, 0, -0.1]")]);
    meant(&[ground.clone(), wall("post", "position = [0, 0, 0]")]);
    let piston = wall(
        "piston",
        "position = [0, 0, -1]\nmotion = { type = \"velocity\", linear = [0, 0, 1] }",
    );
    meant(&[ground.clone(), piston.replace("fixed", "driven")]);
    let group =
        |k: u32| format!("position = [3, 0, 1]\ngroups = {{ member = [{k}], collides = [{k}] }}");
    meant(&[wall("one", &group(1)), wall("two", &group(2))]);
}

/// A ball deep in a solid made of triangles has no contact with its surface; it is found all the same.
#[test]
fn a_body_inside_a_mesh() {
    let directory = tempfile::tempdir().unwrap();
    let mut corners = String::new();
    for k in 0..8 {
        let side = |bit: u32| if k >> bit & 1 == 1 { 10 } else { -10 };
        corners += &format!("v {} {} {}\n", side(0), side(1), side(2));
    }
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(directory.path().join("block.obj"), corners + faces).unwrap();
    let path = directory.path().join("scene.toml");
    let at = |x: f64| {
        let block = fixed("block", "{ type = \"mesh\", path = \"block.obj\" }", "");
        let ball = format!(
            "[[bodies]]\nname = \"ball\"\nshape = \"ball\"\ndensity = 1\nposition = [{x}, 0, 0]\n"
        );
        std::fs::write(&path, format!("{BALL}{block}{ball}")).unwrap();
        moreau_scene::Scene::read(&path).unwrap().build()
    };
    let error = at(1.0).unwrap_err().to_string();
    assert!(
        error.contains("'ball' is inside the wall 'block'"),
        "{error}"
    );
    assert!(at(11.1).is_ok());
}

#[test]
fn more_bodies_than_memory() {
    expect(
        &format!(
            "{BALL}[[generators]]\ntype = \"grid\"\ncounts = [1000, 1000, 1000]\nspacing = [2, 2, 2]\norigin = [0, 0, 0]\nmix = [{{ shape = \"ball\", density = 1 }}]"
        ),
        "1000000000 bodies; max_bodies is 50000000",
    );
    expect(
        "duration = 1\n[[generators]]\ntype = \"fill\"\nregion = { type = \"box\", lower = [0, 0, 0], upper = [1, 1, 1] }\nfraction = 0.2\nmix = [{ radius = 1e-9, density = 1 }]",
        "max_bodies is 50000000",
    );
    expect(
        "duration = 1\n[[generators]]\ntype = \"fill\"\nregion = { type = \"box\", lower = [0, 0, 0], upper = [1, 1, 1] }\ncount = 9000000000000000000\nmix = [{ radius = 1, density = 1 }]",
        "max_bodies is 50000000",
    );
    expect(
        "duration = 1\n[materials.m]\ncohesion = 1\n[[generators]]\ntype = \"bonded\"\nshape = { type = \"box\", half_extents = [1, 1, 1] }\nradius = 1e-6\nmaterial = \"m\"\ndensity = 1",
        "too many",
    );
    let emitter = |rate: &str, more: &str| {
        format!(
            "duration = 2\n[simulation]\ntime_step = 0.01\n[[emitters]]\n{rate}\nmix = [{{ radius = 0.1, density = 1 }}]\nregion = {{ type = \"box\", lower = [0, 0, 0], upper = [1, 1, 1] }}\n{more}"
        )
    };
    let rain = |more: &str| emitter("rate = 1e9", more);
    expect(&rain(""), "2000000000 bodies; max_bodies is 50000000");
    // A sphere weighs 4π/3 · 0.1³ kg.
    let snow = |more: &str| emitter("mass_rate = 1e7", more);
    expect(&snow(""), "4774648292 bodies; max_bodies is 50000000");
    expect(&snow("max_mass = 1e6"), "238732414 bodies");
    crate::build(&snow("max_mass = 1e3"));
    crate::build(&snow("max_count = 100"));
    crate::build(&rain("max_count = 100"));
    crate::build(&rain(
        "[[sinks]]\nregion = { type = \"below_plane\", point = [0, 0, -1] }",
    ));
}

#[test]
fn names_longer_than_those_of_files() {
    let scene = |length: usize| {
        let name = "n".repeat(length);
        format!(
            "{BALL}[[bodies]]\nshape = \"ball\"\nmass = 1\n[[sensors]]\nname = \"{name}\"\nmeasure = {{ type = \"energy\" }}"
        )
    };
    expect(
        &scene(251),
        "a name of 251 bytes is too long for that of a file",
    );
    assert_eq!(build(&scene(200)).all_sensors().len(), 1);
}

/// They come while the scene runs, the first ones too.
#[test]
fn names_of_bodies_that_are_yet_to_come() {
    let scene = "duration = 1\n[[generators]]\ntype = \"layers\"\nname = \"grain\"\nspacing = 0.3\nevery = 0.3\nlayers = 3\n\
                 region = { type = \"box\", lower = [0, 0, 0], upper = [1, 1, 1] }\nmix = [{ radius = 0.1, density = 1 }]\n\
                 [[sensors]]\nname = \"s\"\nmeasure = { type = \"pose\", body = \"grain.0\" }";
    expect(scene, "there is no body 'grain.0'");
    expect(scene, "bodies of layers come while the scene runs");
}
