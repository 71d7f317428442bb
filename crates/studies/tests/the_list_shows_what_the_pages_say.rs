//! The list of studies in the documentation is made of the pages: no number on it differs from them.

use moreau_studies::{ALL, Study, report};
use std::fs;
use std::path::Path;

#[test]
fn every_entry_is_that_of_its_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let list = read("README.md");
    assert!(list.starts_with(report::INDEX_OPENING));
    let page_of = |study: &&'static Study| (*study, read(&format!("{}.md", study.name)));
    let pages: Vec<_> = ALL.iter().map(page_of).collect();
    for (study, page) in &pages {
        let entry = report::index_entry(study, page);
        assert!(
            list.contains(entry.trim_end()),
            "the list lacks this:\n{entry}"
        );
        for start in study.highlights {
            assert!(
                entry.contains(&format!("\n| {start}")),
                "{}: no row begins with {start}",
                study.name
            );
        }
        assert!(
            page.contains(study.discussion.trim()),
            "the prose of {} is another one",
            study.name
        );
    }
    assert_eq!(
        list,
        report::index(&pages),
        "the list is not that of the pages"
    );
}
