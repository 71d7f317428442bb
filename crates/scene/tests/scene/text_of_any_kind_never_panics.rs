use super::samples;
use moreau_contact_solvers::generate::SplitMix64;
use moreau_scene::Scene;

/// Samples with pieces cut out, doubled or replaced: errors, but no panic. The heaviest samples are left out, and
/// texts that happen to be right are not built where they would make many bodies.
#[test]
fn damaged_samples() {
    let mut random = SplitMix64::new(11);
    let scraps = [
        "",
        "-",
        "1e308",
        "nan",
        "\"\"",
        "[",
        "]]",
        "{",
        "=",
        "\n",
        "é",
        "0",
        "\"$x\"",
        "true",
        "[[bodies]]\n",
        "type = \"box\"",
        "9223372036854775807",
        "1e-300",
    ];
    for path in samples() {
        let text = std::fs::read_to_string(&path).unwrap();
        let chars: Vec<char> = text.chars().collect();
        for _ in 0..40 {
            let at = random.below(chars.len());
            let length = random.below(12).min(chars.len() - at);
            let mut damaged: String = chars[..at].iter().collect();
            damaged += scraps[random.below(scraps.len())];
            damaged.extend(&chars[at + length..]);
            if let Err(errors) = Scene::parse(&damaged, "damaged.toml") {
                assert!(!errors.to_string().is_empty());
            }
        }
    }
}

/// The small samples are built as well, with a limit on the number of bodies.
#[test]
fn damaged_samples_that_are_built() {
    let mut random = SplitMix64::new(12);
    let numbers = ["0", "-1", "1e308", "1e-308", "3", "\"radius\"", "1e9"];
    let small = [
        "box_stack",
        "dominoes",
        "heavy_on_light",
        "sliding_ball",
        "vibrated_plate",
    ];
    for path in samples() {
        let stem = path.file_stem().unwrap().to_string_lossy().to_string();
        if !small.contains(&stem.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let places: Vec<usize> = text
            .match_indices(|c: char| c.is_ascii_digit())
            .map(|(at, _)| at)
            .collect();
        for _ in 0..25 {
            let at = places[random.below(places.len())];
            let number = numbers[random.below(numbers.len())];
            let damaged = format!("{}{number}{}", &text[..at], &text[at + 1..]);
            let damaged = format!("max_bodies = 200\n{damaged}");
            if let Ok(scene) = Scene::parse(&damaged, "damaged.toml")
                && let Ok(mut run) = scene.build()
            {
                let _ = run.step();
            }
        }
    }
}
