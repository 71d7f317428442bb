//! Claim: a table shows every flushed row, and resuming cuts off what is later or torn.

use moreau_trajectory::CsvWriter;

const COLUMNS: [&str; 3] = ["time", "force", "torque"];

#[test]
fn rows_are_there_after_a_flush() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sensor.csv");
    let mut table = CsvWriter::create(&path, &COLUMNS).unwrap();
    table.row(&[0.1, 1.0 / 3.0, -2e-30]).unwrap();
    table.flush().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "time,force,torque\n0.1,0.3333333333333333,-2e-30\n");
    assert!(
        table
            .row(&[1.0])
            .unwrap_err()
            .to_string()
            .contains("3, one for each column")
    );
}

#[test]
fn resuming_cuts_off_later_and_torn_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sensor.csv");
    for (torn, time, kept) in [
        ("", 0.2, 2),
        ("0.4,1", 9.0, 3),
        ("0.4,1", 0.1, 1),
        ("", 0.0, 0),
    ] {
        let rows = "0.1,1.0,2.0\n0.2,1.0,2.0\n0.3,1.0,2.0\n";
        std::fs::write(&path, format!("time,force,torque\n{rows}{torn}")).unwrap();
        let mut table = CsvWriter::resume(&path, &COLUMNS, time).unwrap();
        table.row(&[7.0, 8.0, 9.0]).unwrap();
        table.flush().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), kept + 2, "{text}");
        assert_eq!(lines.last(), Some(&"7,8,9"));
    }
}

#[test]
fn another_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sensor.csv");
    std::fs::write(&path, "time,speed\n").unwrap();
    let message = CsvWriter::resume(&path, &COLUMNS, 1.0)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("time,speed") && message.contains("time,force,torque"),
        "{message}"
    );
    std::fs::write(&path, "time,force,torque\nabc,1,2\n").unwrap();
    let message = CsvWriter::resume(&path, &COLUMNS, 1.0)
        .unwrap_err()
        .to_string();
    assert!(message.contains("line 2"), "{message}");
    assert!(CsvWriter::create(&path, &["a,b"]).is_err());
    assert!(CsvWriter::create(&path, &[]).is_err());
}
