//! Every figure is written, whatever the data; nothing is left when it is not.

use std::fs;
use std::path::{Path, PathBuf};

use moreau_plots::{
    AxisScale, ConvergencePlot, Force, ForceNetworkPlot, Grain, PlotError, ProfilePlot, Series,
    convergence, force_network, performance_profile,
};

/// A directory of its own for each test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("moreau-plots-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    /// Draws both formats and returns the SVG text.
    fn both(&self, draw: impl Fn(&Path) -> Result<(), PlotError>) -> String {
        let (svg, png) = (self.0.join("figure.svg"), self.0.join("figure.png"));
        draw(&svg).unwrap();
        draw(&png).unwrap();
        assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
        let text = fs::read_to_string(&svg).unwrap();
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        assert!(!text.contains("NaN") && !text.contains("inf"));
        assert_eq!(
            fs::read_dir(&self.0).unwrap().count(),
            2,
            "only the two files are left"
        );
        text
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn series(label: &str, points: &[(f64, f64)]) -> Series {
    Series {
        label: label.into(),
        points: points.to_vec(),
    }
}

#[test]
fn convergence_of_odd_data() {
    let scratch = Scratch::new("convergence");
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let odd = [
        vec![],
        vec![series("empty", &[])],
        vec![series("one", &[(3.0, 1e-3)])],
        vec![series("equal", &[(1.0, 0.5), (1.0, 0.5), (1.0, 0.5)])],
        vec![series("zeros", &[(0.0, 0.0), (1.0, 0.0), (2.0, -1.0)])],
        vec![series(
            "nan",
            &[(0.0, nan), (nan, 1.0), (nan, nan), (inf, inf), (-inf, 1e-3)],
        )],
        vec![series(
            "extreme",
            &[(-1e308, 5e-324), (1e308, 1e308), (0.0, 1.0)],
        )],
        vec![series("backwards", &[(5.0, 1.0), (2.0, 0.1), (9.0, 0.01)])],
        (0..30)
            .map(|k| series(&format!("s{k}"), &[(0.0, 1.0), (9.0, 0.1 / k as f64)]))
            .collect(),
    ];
    for series in odd {
        for x_scale in [AxisScale::Linear, AxisScale::Log10, AxisScale::Log2] {
            for tolerance in [None, Some(1e-8), Some(0.0), Some(nan)] {
                let series = series.clone();
                let plot = ConvergencePlot {
                    x_scale,
                    series,
                    tolerance,
                    ..Default::default()
                };
                // PNG files take their time: the SVG alone shows most mistakes.
                convergence(scratch.0.join("odd.svg"), &plot).unwrap();
            }
        }
        fs::remove_file(scratch.0.join("odd.svg")).unwrap();
        let plot = ConvergencePlot {
            series,
            tolerance: Some(1e-8),
            ..Default::default()
        };
        scratch.both(|path| convergence(path, &plot));
    }
}

#[test]
fn convergence_shows_its_words_and_thins_its_curves() {
    let scratch = Scratch::new("words");
    let points: Vec<_> = (0..200_000)
        .map(|k| (k as f64, 1.0 / (k + 1) as f64))
        .collect();
    let plot = ConvergencePlot {
        title: "Convergence & more".into(),
        x_label: "CPU seconds".into(),
        y_label: "natural-map error".into(),
        series: vec![series("ADMM <fast>", &points)],
        tolerance: Some(1e-4),
        ..Default::default()
    };
    let text = scratch.both(|path| convergence(path, &plot));
    for word in ["Convergence &amp; more", "CPU seconds", "natural-map error"] {
        assert!(text.contains(word), "{word} is missing");
    }
    assert!(text.contains("ADMM &lt;fast&gt;") && text.contains("tolerance 1e-4"));
    assert!(text.contains("10⁻³"));
    assert!(text.len() < 60_000, "{} bytes for one curve", text.len());
}

#[test]
fn profiles_of_odd_data() {
    let scratch = Scratch::new("profile");
    let names = |n: usize| (0..n).map(|k| format!("solver{k}")).collect::<Vec<_>>();
    let odd = [
        (names(0), vec![]),
        (names(3), vec![]),
        (names(2), vec![vec![None, None]]),
        (
            names(2),
            vec![
                vec![Some(0.0), Some(0.0)],
                vec![Some(f64::NAN), Some(f64::INFINITY)],
            ],
        ),
        (
            names(2),
            vec![vec![Some(1e-300), Some(1e300)], vec![Some(-1.0)]],
        ),
        (
            names(1),
            vec![vec![Some(1.0), Some(2.0), Some(3.0)], vec![]],
        ),
        (names(30), vec![(0..30).map(|k| Some(k as f64)).collect()]),
    ];
    for (solvers, costs) in odd {
        for (floor, decades, largest_ratio) in [
            (0.0, false, None),
            (1e-3, true, Some(10.0)),
            (f64::NAN, false, Some(0.5)),
        ] {
            let (solvers, costs) = (solvers.clone(), costs.clone());
            let title = String::new();
            let plot = ProfilePlot {
                title,
                solvers,
                costs,
                floor,
                decades,
                largest_ratio,
            };
            let text = scratch.both(|path| performance_profile(path, &plot));
            assert!(plot.solvers.iter().all(|name| text.contains(name)));
        }
    }
}

#[test]
fn networks_of_odd_data() {
    let scratch = Scratch::new("network");
    let nan = f64::NAN;
    let grain = |x, radius| Grain {
        x,
        y: 0.0,
        radius,
        shade: nan,
    };
    let force = |x, magnitude| Force {
        from: (0.0, 0.0),
        to: (x, 1.0),
        magnitude,
    };
    let odd = [
        (vec![], vec![]),
        (vec![grain(0.0, 1.0)], vec![]),
        (
            vec![],
            vec![Force {
                magnitude: 1.0,
                ..Default::default()
            }],
        ),
        (
            vec![
                grain(nan, 1.0),
                grain(0.0, nan),
                grain(0.0, 0.0),
                grain(1.0, -1.0),
            ],
            vec![],
        ),
        (
            vec![grain(0.0, 1.0), grain(1e9, 1e-9)],
            vec![force(nan, 1.0), force(1.0, nan)],
        ),
        (
            vec![grain(f64::MAX, 1.0)],
            vec![force(1.0, 5e-324), force(2.0, 5e-324)],
        ),
        (
            vec![grain(1e100, 1.0)],
            vec![force(0.5, f64::MAX), force(0.5, -1.0), force(0.5, 0.0)],
        ),
    ];
    for (grains, forces) in odd {
        let plot = ForceNetworkPlot {
            title: "Odd grains".into(),
            caption: "a caption of several words ".repeat(40),
            grains,
            forces,
            force_label: "N".into(),
            length_unit: "m".into(),
            largest_force: None,
        };
        let text = scratch.both(|path| force_network(path, &plot));
        assert!(text.contains("Odd grains") && text.contains("a caption of several words"));
    }
}

#[test]
fn other_extensions_are_refused_by_name() {
    let scratch = Scratch::new("extension");
    for name in ["figure.pdf", "figure", "figure.svg.txt"] {
        let path = scratch.0.join(name);
        let results = [
            convergence(&path, &ConvergencePlot::default()),
            performance_profile(&path, &ProfilePlot::default()),
            force_network(&path, &ForceNetworkPlot::default()),
        ];
        for result in results {
            let message = result.unwrap_err().to_string();
            assert!(
                message.contains(".svg") && message.contains(".png"),
                "{message}"
            );
        }
    }
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 0);
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let scratch = Scratch::new("unwritable");
    let missing = scratch.0.join("missing/figure.svg");
    let error = convergence(&missing, &ConvergencePlot::default()).unwrap_err();
    assert!(matches!(error, PlotError::Write { .. }), "{error}");
    assert!(error.to_string().contains("figure.svg"));
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 0);

    // The name is taken by a directory: writing beside it works, renaming does not.
    let taken = scratch.0.join("taken.png");
    fs::create_dir(&taken).unwrap();
    assert!(convergence(&taken, &ConvergencePlot::default()).is_err());
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_is_an_error_that_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("read-only");
    let locked = scratch.0.join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write anywhere; then there is nothing to test.
    if fs::write(locked.join("probe"), "").is_err() {
        let plot = ForceNetworkPlot::default();
        assert!(force_network(locked.join("figure.svg"), &plot).is_err());
        assert_eq!(fs::read_dir(&locked).unwrap().count(), 0);
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_existing_file_is_replaced() {
    let scratch = Scratch::new("replace");
    let path = scratch.0.join("figure.svg");
    fs::write(&path, "old").unwrap();
    convergence(&path, &ConvergencePlot::default()).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("<svg"));
}
