use super::errors;

/// Line, column, words of the message and of the help.
fn expect(text: &str, line: usize, column: usize, message: &str, help: &str) {
    let errors = errors(text);
    let error = &errors.list[0];
    let place = error.place.as_ref().unwrap_or_else(|| panic!("{errors}"));
    assert_eq!((place.line, place.column), (line, column), "{errors}");
    assert!(error.message.contains(message), "{errors}");
    let found = error.help.as_deref().unwrap_or_default();
    assert!(found.contains(help), "{errors}");
}

#[test]
fn unknown_keys() {
    expect(
        "duration = 1\nsede = 2",
        2,
        1,
        "unknown key 'sede'",
        "'seed'",
    );
    expect(
        "duration = 1\n[[bodies]]\nshape = { type = \"sphere\", raduis = 1 }",
        3,
        28,
        "unknown key 'raduis' in bodies[0].shape",
        "'radius'",
    );
    expect(
        "duration = 1\n[[sensors]]\nname = \"a\"\nmeasure = { type = \"pose\", bdy = \"b\" }",
        4,
        28,
        "unknown key 'bdy'",
        "'body'",
    );
}

/// A rotation has three forms without a word that says which.
#[test]
fn forms_of_a_rotation() {
    let rotation = |form: &str| format!("duration = 1\n[[bodies]]\nrotation = {form}");
    let misspelt = rotation("{ eulr = [1, 2, 3] }");
    expect(
        &misspelt,
        3,
        14,
        "unknown key 'eulr'",
        "did you mean 'euler'?",
    );
    assert_eq!(errors(&misspelt).list.len(), 1, "nothing is missing");
    let misspelt = rotation("{ quaternio = [0, 0, 0, 1] }");
    expect(
        &misspelt,
        3,
        14,
        "unknown key 'quaternio'",
        "did you mean 'quaternion'?",
    );
    let twice = rotation("{ euler = [1, 2, 3], quaternion = [0, 0, 0, 1] }");
    expect(
        &twice,
        3,
        33,
        "rotation has both 'euler' and 'quaternion'; expected one",
        "",
    );
    let half = rotation("{ axis = [1, 2, 3] }");
    expect(&half, 3, 12, "rotation lacks angle", "In degrees");
}

#[test]
fn keys_of_a_table_below() {
    let gravity = "did you mean 'simulation.gravity'?";
    expect(
        "duration = 1\ngravty = [0, 0, -1]",
        2,
        1,
        "unknown key 'gravty'",
        gravity,
    );
    expect(
        "duration = 1\ngravity = [0, 0, -1]",
        2,
        1,
        "unknown key 'gravity'",
        gravity,
    );
    let step = "did you mean 'simulation.time_step'?";
    expect(
        "duration = 1\ntime_step = 1e-3",
        2,
        1,
        "unknown key 'time_step'",
        step,
    );
}

#[test]
fn unknown_words() {
    expect(
        "duration = 1\n[shapes.a]\ntype = \"elipsoid\"",
        3,
        8,
        "'elipsoid' is no type for shapes.a",
        "'ellipsoid'",
    );
    expect(
        "duration = 1\n[simulation]\nscheme = \"moreau_halfstep\"",
        3,
        10,
        "expected symplectic_euler, moreau_half_step",
        "'moreau_half_step'",
    );
    expect(
        "duration = 1\n[solver]\nname = \"jacobbi\"",
        3,
        8,
        "there is no solver 'jacobbi'",
        "'jacobi'",
    );
}

#[test]
fn unknown_names() {
    let begin = "duration = 1\n[shapes.ball]\ntype = \"sphere\"\nradius = 1\n[materials.steel]\n[[bodies]]\n";
    expect(
        &format!("{begin}shape = \"bal\"\ndensity = 1"),
        7,
        9,
        "there is no shape 'bal'",
        "'ball'",
    );
    expect(
        &format!("{begin}shape = \"ball\"\ndensity = 1\nmaterial = \"stel\""),
        9,
        12,
        "there is no material 'stel'",
        "'steel'",
    );
    expect(
        &format!(
            "{begin}shape = \"ball\"\ndensity = 1\nname = \"one\"\n[[forces]]\nbody = \"onne\"\nforce = [1, 0, 0]"
        ),
        11,
        8,
        "there is no body 'onne'",
        "'one'",
    );
}

#[test]
fn wrong_kinds_and_numbers() {
    expect(
        "duration = true",
        1,
        12,
        "expected a number for duration, found true or false",
        "",
    );
    expect(
        "duration = -1",
        1,
        12,
        "duration is -1; it must be positive",
        "",
    );
    expect("duration = nan", 1, 12, "expected a finite number", "");
    expect(
        "duration = 1\nseed = 1.5",
        2,
        8,
        "expected a whole number",
        "",
    );
    expect(
        "duration = 1\n[simulation]\ngravity = [0, 1]",
        3,
        11,
        "has 2 entries; expected 3",
        "",
    );
    expect(
        "title = \"a\"",
        1,
        1,
        "the scene lacks duration",
        "How long",
    );
}

#[test]
fn expressions() {
    expect(
        "duration = \"2 * length\"\n[parameters]\nlenght = 1",
        1,
        17,
        "there is no parameter 'length'",
        "'lenght'",
    );
    expect("duration = \"1 / 0\"", 1, 12, "duration is inf", "");
}

#[test]
fn broken_toml() {
    expect("duration = 1\nshapes = [", 2, 11, "", "");
    let text = "duration = 1\nduration = 2";
    assert_eq!(errors(text).list[0].place.as_ref().unwrap().line, 2);
}

#[test]
fn a_table_where_a_list_of_tables_belongs() {
    let help = "write [[bodies]] for each entry";
    expect(
        "duration = 1\n[bodies]\nmass = 1",
        2,
        1,
        "expected a list",
        help,
    );
}

#[test]
fn of_a_long_line_the_part_around_the_place_is_shown() {
    let zeros = "0, ".repeat(2000);
    let text = format!("duration = 1\n[[bodies]]\nposition = [{zeros}x, 0]");
    let message = errors(&text).to_string();
    let lines: Vec<&str> = message.lines().collect();
    assert!(
        lines.iter().all(|line| line.chars().count() < 200),
        "{message}"
    );
    let caret = lines[4].chars().position(|c| c == '^').expect("a caret");
    assert_eq!(lines[3].chars().nth(caret), Some('x'), "{message}");
}

#[test]
fn what_is_no_text_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, b"duration = 1\ntitle = \"caf\xe9\"\n").unwrap();
    let message = moreau_scene::Scene::read(&path).unwrap_err().to_string();
    assert!(message.contains("the byte 0xe9 in line 2"), "{message}");
    assert!(message.contains("UTF-8"), "{message}");
}

#[test]
fn all_mistakes_at_once() {
    let text = "duration = 0\nsede = 1\n[simulation]\ntime_step = -1\nscheme = \"x\"";
    assert_eq!(errors(text).list.len(), 4);
}

#[test]
fn one_mistake_is_told_once() {
    let text = "duration = 1\n[shapes.a]\ntype = \"compound\"\nparts = [{ shape = \"a\" }]\n[[bodies]]\n\
                shape = \"a\"\ndensity = 1";
    let told = errors(text);
    assert_eq!(told.list.len(), 1, "{told}");
}

#[test]
fn the_text_looks_like_a_compiler() {
    let text = "duration = 1\n[shapes.ball]\ntype = \"sphere\"\nradius = \"2*r\"\n[parameters]\nradius = 1";
    let expected = "\
error: shapes.ball.radius must be a number: there is no parameter 'r'
 --> scene.toml:4:13
  |
4 | radius = \"2*r\"
  |             ^
  = help: did you mean 'radius'?
";
    assert_eq!(errors(text).to_string(), expected);
}

#[test]
fn parts_of_joints() {
    let body = "duration = 1\n[[bodies]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n";
    let joint = |kind: &str, more: &str| {
        format!(
            "{body}[[joints]]\nname = \"j\"\nbodies = [\"a\", \"world\"]\nkind = {kind}\n{more}"
        )
    };
    let hinge = |axis: &str| format!("{{ type = \"revolute\", point = [0, 0, 0], axis = {axis} }}");
    let upright = hinge("[0, 0, 1]");
    for (kind, more, place, message) in [
        (
            hinge("[0, 0, 0]"),
            "",
            (9, 8),
            "axis of the joint is [0, 0, 0]",
        ),
        (
            "{ type = \"distance\", points = [[0, 0, 0], [0, 0, 0]] }".into(),
            "",
            (9, 8),
            "the length is 0",
        ),
        (
            upright.clone(),
            "limits = [{ coordinate = 3, max = 1 }]",
            (10, 10),
            "the joint has 1, counted from 0",
        ),
        (
            upright.clone(),
            "motors = [{ type = \"speed\", coordinate = 1, target = 1 }]",
            (10, 10),
            "free coordinate 1 does not exist",
        ),
    ] {
        expect(&joint(&kind, more), place.0, place.1, message, "");
    }
    let twice = format!(
        "{}{}",
        joint(&upright, ""),
        joint(&upright, "").replace(body, "")
    );
    expect(&twice, 11, 8, "the name 'j' is taken", "");
}
