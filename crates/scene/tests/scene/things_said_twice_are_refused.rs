use super::errors;

/// The first error of a text, as it is printed.
fn told(text: &str) -> String {
    errors(text).list[0].to_string()
}

const BALL: &str = "duration = 1\n[[bodies]]\nname = \"ball\"\nshape = { type = \"sphere\", radius = 1 }\ndensity = 1\n";

fn hinge(more: &str) -> String {
    let kind = "kind = { type = \"revolute\", point = [0, 0, 0], axis = [0, 0, 1] }";
    told(&format!(
        "{BALL}[[joints]]\nbodies = [\"world\", \"ball\"]\n{kind}\n{more}"
    ))
}

#[test]
fn motors_and_limits_of_one_coordinate() {
    let motor =
        hinge("motors = [{ type = \"speed\", target = 1 }, { type = \"position\", target = 0 }]");
    assert!(motor.contains("has a motor already"), "{motor}");
    assert!(motor.contains("scene.toml:9:43"), "{motor}");
    let limits = hinge("limits = [{ min = 0 }, { max = 1 }]");
    assert!(limits.contains("has limits already"), "{limits}");
    let order = hinge("limits = [{ min = 10, max = -20 }]");
    assert!(
        order.contains("min is 10 and max -20"),
        "in degrees: {order}"
    );
}

#[test]
fn material_pairs() {
    let pair = |a: &str, b: &str| {
        format!("[[material_pairs]]\nbetween = [\"{a}\", \"{b}\"]\nfriction = 0.1\n")
    };
    let text = format!(
        "{BALL}[materials.a]\n{}{}",
        pair("a", "default"),
        pair("default", "a")
    );
    let message = told(&text);
    assert!(
        message.contains("'default' and 'a' is there already"),
        "{message}"
    );
    assert!(message.contains("scene.toml:11:11"), "{message}");
}

#[test]
fn files_of_sensors() {
    let sensor =
        |name: &str| format!("[[sensors]]\nname = \"{name}\"\nmeasure = {{ type = \"energy\" }}\n");
    let message = told(&format!("{BALL}{}", sensor("Steps")));
    assert!(message.contains("the table of the steps"), "{message}");
    let message = told(&format!("{BALL}{}{}", sensor("flow"), sensor("Flow")));
    assert!(
        message.contains("'flow' and 'Flow' may share a file"),
        "{message}"
    );
}

#[test]
fn rates_of_an_emitter() {
    let text = format!(
        "{BALL}[[emitters]]\nregion = {{ type = \"sphere\", centre = [0, 0, 9], radius = 3 }}\n\
         mix = [{{ radius = 1, density = 1 }}]\nrate = 1\nmass_rate = 1"
    );
    let message = told(&text);
    assert!(message.contains("has both rate and mass_rate"), "{message}");
}
