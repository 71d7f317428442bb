//! Claim: every shared problem reads, with the number of contacts published for it.

use moreau_io::{Form, read, shared_problems};

#[test]
fn shared_problems_read_with_the_published_contact_counts() {
    let Some(folder) = shared_problems::directory() else {
        eprintln!("skipped: no shared problems, set MOREAU_FCLIB_DIR to their folder");
        return;
    };
    let mut contacts = std::collections::BTreeMap::new();
    for path in shared_problems::all() {
        let problem = read(&path).unwrap_or_else(|error| panic!("{error}"));
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // The names say which problems are global; one of them was condensed to a local problem.
        let global = [
            "gfc", "grfc", "box_", "chute", "cube", "lmgc_g", "spheres", "pressure",
        ];
        let lower = name.to_lowercase();
        let global = global.iter().any(|start| lower.starts_with(start));
        let global = global && !name.contains("condensed");
        assert_eq!(
            matches!(problem.form, Form::Global { .. }),
            global,
            "{name}"
        );
        contacts.insert(name, problem.contacts());
    }
    assert!(contacts.len() >= 53, "only {} files", contacts.len());
    assert_eq!(contacts["gfc2d_granularflowonwall_00000_00117.dat"], 0);

    let table = std::fs::read_to_string(folder.join("siconos-4.4.0.csv")).unwrap();
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let mut cells = line.split(',');
        let (name, published) = (cells.next().unwrap(), cells.next().unwrap());
        assert_eq!(
            contacts[name],
            published.parse::<usize>().unwrap(),
            "{name}"
        );
        compared += 1;
    }
    assert!(compared > 50, "only {compared} lines compared");
}
