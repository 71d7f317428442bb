//! Pictures of solids show what is there, at its size, in its order.

use std::f64::consts::PI;
use std::fs;

use moreau_plots::{ColourBar, PlotError, Solid, SolidsPicture, View, speed_colour};

const BLACK: [u8; 3] = [0, 0, 0];

fn sphere(centre: [f64; 3], radius: f64, colour: [u8; 3]) -> Solid {
    Solid::Sphere {
        centre,
        radius,
        colour,
    }
}

fn quad(corners: [[f64; 3]; 4], colour: [u8; 3], opacity: f64) -> Solid {
    Solid::Mesh {
        vertices: corners.to_vec(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        colour,
        opacity,
    }
}

/// A square across the y axis.
fn wall(y: f64, half: f64, colour: [u8; 3], opacity: f64) -> Solid {
    let corner = |x: f64, z: f64| [x * half, y, z * half];
    let corners = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    quad(corners, colour, opacity)
}

fn picture(items: Vec<Solid>) -> SolidsPicture {
    SolidsPicture {
        width: 400,
        height: 300,
        items,
        ..SolidsPicture::default()
    }
}

/// Along the y axis.
fn from_the_front(items: Vec<Solid>) -> SolidsPicture {
    SolidsPicture {
        view: View {
            direction: [0.0, 1.0, 0.0],
            up: [0.0, 0.0, 1.0],
        },
        ..picture(items)
    }
}

/// The colour in the middle of the picture.
fn middle(picture: &SolidsPicture) -> [u8; 3] {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let at = 3 * (height / 2 * width + width / 2);
    picture.pixels().unwrap()[at..at + 3].try_into().unwrap()
}

/// The pixels more than half covered by something black, on white.
fn dark(picture: &SolidsPicture) -> f64 {
    let pixels = picture.pixels().unwrap();
    pixels.chunks(3).filter(|p| p[1] < 128).count() as f64
}

#[test]
fn the_silhouette_of_a_sphere_has_the_area_of_its_disc() {
    for radius in [1e-6, 0.37, 25.0] {
        let picture = picture(vec![sphere([3.0 * radius, -7.0, 0.2], radius, BLACK)]);
        let radius = radius * picture.pixels_per_unit();
        assert!(
            radius > 100.0 && radius < 150.0,
            "the sphere fills the picture"
        );
        let ratio = dark(&picture) / (PI * radius * radius);
        assert!((ratio - 1.0).abs() < 0.01, "{ratio}");
    }
}

#[test]
fn the_silhouette_of_a_square_has_its_area() {
    let picture = from_the_front(vec![wall(2.0, 0.7, BLACK, 1.0)]);
    let side = 1.4 * picture.pixels_per_unit();
    assert!((dark(&picture) / (side * side) - 1.0).abs() < 0.01);
}

#[test]
fn the_nearer_solid_hides_the_farther_one() {
    let (red, blue) = ([200, 0, 0], [0, 0, 200]);
    let solids = [
        (
            sphere([0.0, 0.0, 0.0], 1.0, red),
            sphere([0.0, 3.0, 0.0], 1.2, blue),
        ),
        (wall(0.0, 1.0, red, 1.0), sphere([0.0, 3.0, 0.0], 1.2, blue)),
        (sphere([0.0, 0.0, 0.0], 1.0, red), wall(1.5, 1.2, blue, 1.0)),
        (wall(0.0, 1.0, red, 1.0), wall(0.1, 1.2, blue, 1.0)),
    ];
    for (near, far) in solids {
        for items in [
            vec![near.clone(), far.clone()],
            vec![far.clone(), near.clone()],
        ] {
            let [r, _, b] = middle(&from_the_front(items));
            assert!(r > 80 && r > b + 40, "red {r}, blue {b}");
        }
    }
}

/// An open box of walls around the origin, with a lid towards the viewer.
fn container(opacity: f64, turned: bool) -> Solid {
    let vertices = (0..8)
        .map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 2.0 } else { -2.0 }))
        .collect();
    let front_and_back = [[0, 1, 5], [0, 5, 4], [2, 7, 3], [2, 6, 7]];
    let turn = |[a, b, c]: [u32; 3]| if turned { [a, c, b] } else { [a, b, c] };
    Solid::Mesh {
        vertices,
        triangles: front_and_back.map(turn).to_vec(),
        colour: [0, 0, 250],
        opacity,
    }
}

#[test]
fn one_looks_into_a_transparent_container_however_its_triangles_turn() {
    let grain = || sphere([0.0; 3], 1.0, [200, 0, 0]);
    for turned in [false, true] {
        let alone = middle(&from_the_front(vec![container(0.4, turned)]));
        assert!(
            alone[2] > alone[0] + 30,
            "the wall behind is tinted: {alone:?}"
        );
        let filled = middle(&from_the_front(vec![grain(), container(0.4, turned)]));
        assert_eq!(
            filled[2] / 8,
            filled[1] / 8,
            "no tint before the grain: {filled:?}"
        );
        let closed = middle(&from_the_front(vec![grain(), container(1.0, turned)]));
        assert!(closed[2] > closed[0] + 60);
    }
}

/// Grains, a box, its container and the ground, in a unit of length.
fn pile(unit: f64) -> SolidsPicture {
    let at = |x: f64, y: f64, z: f64| [x * unit, y * unit, z * unit];
    let mut items = Vec::new();
    for k in 0..40 {
        let t = f64::from(k);
        let place = at(
            (2.4 * t).cos() * 0.1 * t,
            (2.4 * t).sin() * 0.1 * t,
            4.0 - 0.1 * t,
        );
        items.push(sphere(
            place,
            (0.3 + 0.01 * t) * unit,
            speed_colour(t / 39.0),
        ));
    }
    let floor = |half: f64, z: f64| {
        [
            at(-half, -half, z),
            at(half, -half, z),
            at(half, half, z),
            at(-half, half, z),
        ]
    };
    items.push(quad(floor(4.2, 0.1), [120, 140, 160], 0.4));
    items.push(quad(floor(0.9, 4.5), [86, 180, 233], 1.0));
    SolidsPicture {
        backdrop: vec![quad(floor(1e3, 0.0), [230, 230, 230], 1.0)],
        caption: Some("a pile".into()),
        ..picture(items)
    }
}

#[test]
fn the_unit_of_length_does_not_matter() {
    let reference = pile(1.0).pixels().unwrap();
    for unit in [1e3, 1e-3, 0.3048] {
        assert!(pile(unit).pixels().unwrap() == reference, "unit {unit}");
    }
}

#[test]
fn odd_input_gives_a_picture() {
    let background = [250, 240, 230];
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let bad = vec![
        sphere([nan, 0.0, 0.0], 1.0, BLACK),
        sphere([0.0; 3], inf, BLACK),
        sphere([0.0; 3], -1.0, BLACK),
        sphere([0.0; 3], 0.0, BLACK),
        quad([[1.0; 3]; 4], BLACK, 1.0),
        quad([[0.0; 3], [1.0; 3], [2.0; 3], [nan; 3]], BLACK, 0.5),
        Solid::Mesh {
            vertices: vec![[0.0; 3]],
            triangles: vec![[0, 1, 2]],
            colour: BLACK,
            opacity: nan,
        },
    ];
    for items in [vec![], bad.clone()] {
        let empty = SolidsPicture {
            background,
            ..picture(items)
        };
        let pixels = empty.pixels().unwrap();
        assert!(pixels.chunks(3).all(|p| p == background));
    }
    let wild = vec![
        sphere([1e90, 0.0, 0.0], 1e-90, BLACK),
        sphere([0.0; 3], 1e-300, BLACK),
        wall(1e80, 1e99, BLACK, 0.5),
    ];
    for direction in [
        [0.0; 3],
        [nan; 3],
        [0.0, 0.0, -1.0],
        [inf, 0.0, 0.0],
        [1e-300, 0.0, 0.0],
    ] {
        for items in [wild.clone(), bad.clone()] {
            let odd = SolidsPicture {
                view: View {
                    direction,
                    up: direction,
                },
                backdrop: wild.clone(),
                ..picture(items)
            };
            assert!(odd.pixels().is_ok());
        }
    }
    let speck = SolidsPicture {
        width: 1,
        height: 1,
        caption: Some("too long a caption for one pixel".into()),
        ..pile(1.0)
    };
    assert_eq!(speck.pixels().unwrap().len(), 3);
}

#[test]
fn the_file_is_a_png_of_the_size_asked_for() {
    let name = format!("moreau-plots-solids-{}.png", std::process::id());
    let path = std::env::temp_dir().join(name);
    let picture = pile(1.0);
    picture.save_png(&path).unwrap();
    let file = std::io::BufReader::new(fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let info = reader.next_frame(&mut pixels).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!((info.width, info.height), (400, 300));
    assert!(pixels == picture.pixels().unwrap());
}

#[test]
fn sizes_and_formats_that_cannot_be_are_refused() {
    for (width, height) in [(0, 10), (10, 0), (u32::MAX, u32::MAX)] {
        let refused = SolidsPicture {
            width,
            height,
            ..SolidsPicture::default()
        };
        assert!(matches!(refused.pixels(), Err(PlotError::Draw(_))));
    }
    for name in ["solids.svg", "solids.jpeg"] {
        assert!(picture(vec![]).save_png(name).is_err());
    }
}

#[test]
fn faster_is_lighter() {
    let grey = |share: f64| {
        let [r, g, b] = speed_colour(share).map(f64::from);
        0.3 * r + 0.59 * g + 0.11 * b
    };
    assert!((0..50).all(|k| grey(f64::from(k) / 50.0) < grey(f64::from(k + 1) / 50.0)));
    assert_eq!(speed_colour(f64::NAN), speed_colour(0.0));
    assert_eq!(speed_colour(7.0), speed_colour(1.0));
}

#[test]
fn the_bar_of_colours_takes_its_room_from_the_solids() {
    let ball = || vec![sphere([0.0; 3], 1.0, BLACK)];
    let plain = picture(ball());
    let told = SolidsPicture {
        colours: Some(ColourBar {
            low: "at rest".into(),
            high: "2 m/s".into(),
            colours: vec![[0, 0, 255], [255, 0, 0]],
        }),
        ..picture(ball())
    };
    assert!(told.pixels_per_unit() < plain.pixels_per_unit());
    let pixels = told.pixels().unwrap();
    // Below the middle of the picture the bar is half of either colour.
    let column = (0..300).map(|row| &pixels[3 * (row * 400 + 200)..][..3]);
    let between = |value: u8| (110..=145).contains(&value);
    let bar = column.filter(|c| between(c[0]) && c[1] == 0 && between(c[2]));
    assert!((5..=12).contains(&bar.count()));
}
