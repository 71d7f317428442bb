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
