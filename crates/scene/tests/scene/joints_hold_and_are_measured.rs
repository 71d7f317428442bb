use super::{build, errors, samples};
use moreau_scene::Scene;

fn sample(name: &str) -> moreau_scene::Run {
    let path = samples().into_iter().find(|path| path.ends_with(name));
    Scene::read(path.unwrap()).unwrap().build().unwrap()
}

#[test]
fn a_hanging_body_pulls_with_its_weight() {
    let mut run = build(
        "duration = 1\n[simulation]\ntime_step = 0.01\n[[bodies]]\nname = \"bob\"\nmass = 2\n\
         shape = { type = \"sphere\", radius = 0.1 }\nposition = [0, 0, -1]\n\
         [[joints]]\nname = \"thread\"\nbodies = [\"world\", \"bob\"]\n\
         kind = { type = \"rope\", points = [[0, 0, 0], [0, 0, -1]] }\n\
         [[sinks]]\nregion = { type = \"everywhere\" }\n\
         [[sensors]]\nname = \"pull\"\nmeasure = { type = \"joint_reaction\", joint = \"thread\" }",
    );
    for _ in 0..20 {
        run.step().unwrap();
    }
    let (_, row) = run.sensors().next().unwrap();
    assert!((row[3] - 2.0 * 9.81).abs() < 1e-6, "{row:?}");
    // The sink is everywhere, but a joined body stays.
    assert_eq!(run.simulation.bodies().len(), 1);
}

#[test]
fn the_piston_goes_to_and_fro() {
    let mut run = sample("slider_crank.toml");
    let mut places = Vec::new();
    for step in 1..=1000 {
        run.step().unwrap();
        if step % 250 == 0 {
            let (_, row) = run.sensors().find(|(s, _)| s.name() == "piston").unwrap();
            places.push(row[1]);
        }
    }
    // Quarter turns of the crank: x = r cos φ + √(l² − r² sin² φ).
    let side = (0.09f64 - 0.01).sqrt();
    for (found, right) in places.iter().zip([side, 0.2, side, 0.4]) {
        assert!((found - right).abs() < 1e-3, "{places:?}");
    }
}

#[test]
fn the_cart_moves() {
    let mut run = sample("cart.toml");
    for _ in 0..500 {
        run.step().unwrap();
    }
    let (_, row) = run.sensors().next().unwrap();
    assert!(row[1] > -1.3, "{row:?}");
    assert!((0.1..0.4).contains(&row[3]), "{row:?}");
}

#[test]
fn joints_that_cannot_be_are_refused() {
    let begin =
        "duration = 1\n[[bodies]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[[joints]]\n";
    let told = errors(&format!(
        "{begin}bodies = [\"world\", \"b\"]\nkind = {{ type = \"fixed\", point = [0, 0, 0] }}"
    ));
    assert!(told.to_string().contains("there is no body 'b'"), "{told}");
    let told = errors(&format!(
        "{begin}bodies = [\"world\", \"a\"]\nkind = {{ type = \"revolute\", point = [0, 0, 0], axis = [0, 0, 0] }}"
    ));
    assert!(told.to_string().contains("the axis of the joint"), "{told}");
    let told = errors(&format!(
        "{begin}bodies = [\"world\", \"a\"]\nkind = {{ type = \"fixed\", point = [0, 0, 0] }}\nlimits = [{{ min = 0 }}]"
    ));
    assert!(told.to_string().contains("free coordinate 0"), "{told}");
}

/// A weight on a compliant joint or an implicit spring goes down by its weight over the stiffness.
#[test]
fn what_gives_way_sags_by_weight_over_stiffness() {
    let bob = "duration = 1\n[simulation]\ntime_step = 0.01\n[[bodies]]\nname = \"bob\"\nmass = 2\n\
               inertia = [1, 1, 1]\nposition = [0, 0, -1]\n";
    let joint = "[[joints]]\nbodies = [\"world\", \"bob\"]\nkind = { type = \"fixed\", point = [0, 0, -1] }\n\
                 compliance = { linear = 1e-3, damping_time = 0.1 }\n";
    let spring = "[[springs]]\nbodies = [\"world\", \"bob\"]\npoints = [[0, 0, 0], [0, 0, -1]]\n\
                  stiffness = 1e3\ndamping = 1e2\nimplicit = true\n";
    for text in [joint, spring] {
        let mut run = build(&format!("{bob}{text}"));
        for _ in 0..500 {
            run.step().unwrap();
        }
        let sag = -1.0 - run.simulation.bodies().poses[0].position.z;
        assert!((sag - 2.0 * 9.81 / 1e3).abs() < 1e-6, "{sag} m");
    }
}

/// A ball joint with a cone: the bob comes to rest where the cone ends.
#[test]
fn a_ball_joint_has_a_cone() {
    let mut run = build(
        "duration = 1\n[simulation]\ntime_step = 0.005\n[[bodies]]\nname = \"bob\"\nmass = 2\n\
         inertia = [1, 1, 1]\nposition = [1, 0, 0]\n\
         [[joints]]\nbodies = [\"world\", \"bob\"]\n\
         kind = { type = \"spherical\", point = [0, 0, 0], axis = [1, 0, 0] }\n\
         limits = [{ coordinate = 0, max = 30 }, { coordinate = 1, min = -5, max = 5 }]\n",
    );
    for _ in 0..1000 {
        run.step().unwrap();
    }
    let place = run.simulation.bodies().poses[0].position;
    assert!((place.z + 0.5).abs() < 1e-6, "{place}");
}

#[test]
fn an_explicit_spring_too_stiff_for_the_step_is_told() {
    let text = |more: &str| {
        format!(
            "duration = 1\n[simulation]\ntime_step = 0.01\n[[bodies]]\nname = \"bob\"\nmass = 2\n\
             inertia = [1, 1, 1]\n[[springs]]\nbodies = [\"world\", \"bob\"]\n\
             points = [[0, 0, 1], [0, 0, 0]]\n{more}\n"
        )
    };
    // k h²/m is 4 at 80 kN/m.
    let warnings = build(&text("stiffness = 9e4")).warnings;
    assert!(warnings[0].contains("implicit = true"), "{warnings:?}");
    assert!(build(&text("stiffness = 7e4")).warnings.is_empty());
    let stiff = text("stiffness = 9e4\nimplicit = true");
    assert!(build(&stiff).warnings.is_empty());
}

#[test]
fn a_motor_that_jumps_in_the_first_step_is_told() {
    let warnings = |motor: &str| {
        let text = format!(
            "duration = 1\n[simulation]\ntime_step = 0.01\n[[bodies]]\nname = \"bob\"\nmass = 2\n\
             inertia = [1, 1, 1]\n[[joints]]\nbodies = [\"world\", \"bob\"]\n\
             kind = {{ type = \"revolute\", point = [0, 0, 0], axis = [0, 0, 1] }}\nmotors = [{motor}]\n"
        );
        build(&text).warnings
    };
    let sine = |kind: &str, phase: f64| {
        format!(
            "{{ type = \"{kind}\", target = {{ type = \"sine\", amplitude = 30, frequency = 1, phase = {phase} }} }}"
        )
    };
    for kind in ["driven", "position"] {
        let told = warnings(&sine(kind, 90.0));
        assert!(told[0].contains("the target is 30 "), "{told:?}");
        assert!(warnings(&sine(kind, 180.0)).is_empty());
    }
    for bound in ["strength = 5", "max_speed = 1"] {
        let motor = format!("{{ type = \"position\", target = 20, {bound} }}");
        assert!(warnings(&motor).is_empty());
    }
}

#[test]
fn limits_that_do_not_hold_the_beginning_are_told() {
    let warnings = |kind: &str, limits: &str| {
        let text = format!(
            "duration = 1.0\n\
             [[bodies]]\nname = \"ball\"\nshape = {{ type = \"sphere\", radius = 0.1 }}\nmass = 1\nposition = [0, 0, -1]\n\
             [[joints]]\nbodies = [\"world\", \"ball\"]\nkind = {kind}\nlimits = [{limits}]\n"
        );
        build(&text).warnings
    };
    let hinge = "{ type = \"revolute\", point = [0, 0, 0], axis = [0, 1, 0] }";
    let rope = "{ type = \"rope\", points = [[0, 0, 0], [0, 0, -1]], length = 2 }";
    for (kind, limits) in [
        (hinge, "{ min = 20 }"),
        (hinge, "{ max = -5 }"),
        (rope, "{ max = 0.5 }"),
    ] {
        let told = warnings(kind, limits);
        assert_eq!(told.len(), 1, "{limits}: {told:?}");
        assert!(told[0].contains("outside of its limits"), "{told:?}");
    }
    assert!(warnings(hinge, "{ min = 0, max = 5 }").is_empty());
    assert!(warnings(rope, "{ max = 1.5 }").is_empty());
}
