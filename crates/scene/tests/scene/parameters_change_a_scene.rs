use moreau_scene::Scene;

const TEXT: &str = "
duration = \"3*length\"
[parameters]
length = 2
double = \"2*length\"
solver = \"auto\"
warm = true
[solver]
name = \"$solver\"
warm_start = \"$warm\"
[[bodies]]
mass = 1
inertia = [1, 1, 1]
position = [\"double\", 0, 0]
[simulation]
time_step = 1
";

#[test]
fn defaults_hold_until_they_are_changed() {
    let scene = Scene::parse(TEXT, "scene.toml").unwrap();
    assert_eq!(scene.file().duration, 6.0);
    assert_eq!(scene.file().bodies[0].position[0], 4.0);
    let changes = [("length", "5"), ("warm", "false"), ("solver", "jacobi")];
    let changed = scene.with_parameters(&changes).unwrap();
    assert_eq!(changed.file().duration, 15.0);
    assert_eq!(changed.file().bodies[0].position[0], 10.0);
    assert_eq!(changed.file().solver.name, "jacobi");
    assert!(!changed.file().solver.warm_start);
    let again = changed.with_parameters(&[("length", "double/4 + 1")]);
    // In terms of itself: it has no value.
    assert!(again.is_err());
}

#[test]
fn parameters_that_are_not_there_are_refused() {
    let scene = Scene::parse(TEXT, "scene.toml").unwrap();
    let told = scene.with_parameters(&[("lenght", "1")]).unwrap_err();
    assert!(
        told.to_string().contains("did you mean 'length'?"),
        "{told}"
    );
    assert!(scene.with_parameters(&[("warm", "3")]).is_err());
    assert!(scene.with_parameters(&[("length", "true")]).is_err());
    let told = scene.with_parameters(&[("length", "-1")]).unwrap_err();
    assert!(told.to_string().contains("duration is -3"), "{told}");
}
