//! ARCHITECTURE.md and the tree agree.

use std::path::Path;

/// The words in backticks that are paths: they hold a slash, or are names of files at the root.
fn paths(text: &str) -> Vec<&str> {
    let mut paths = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            let words = line.split('`').skip(1).step_by(2);
            let is_path = |word: &&str| {
                word.contains('/') || word.ends_with(".md") || word.starts_with("LICENSE")
            };
            paths.extend(words.filter(is_path));
        }
    }
    paths
}

#[test]
fn every_path_in_the_architecture_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let named = paths(&text);
    assert!(named.len() > 30, "paths are recognised: {named:?}");
    let missing: Vec<_> = named
        .iter()
        .filter(|path| !root.join(path).exists())
        .collect();
    assert!(missing.is_empty(), "not in the tree: {missing:?}");
}

#[test]
fn every_source_file_of_the_crates_is_in_the_architecture() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let named = paths(&text);
    let mut folders: Vec<_> = std::fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src"))
        .collect();
    let mut missing = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs")
                && !name.contains("tests")
                && !named.contains(&name.as_str())
            {
                missing.push(name);
            }
        }
    }
    assert!(
        missing.is_empty(),
        "say in ARCHITECTURE.md what these are: {missing:?}"
    );
}
