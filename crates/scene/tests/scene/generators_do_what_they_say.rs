use super::{build, errors};

#[test]
fn a_filled_region_has_its_fraction_and_no_overlap() {
    let text = |fraction: f64, seed: u32| {
        format!(
            "duration = 1\nseed = {seed}\n[[generators]]\ntype = \"fill\"\nfraction = {fraction}\n\
             region = {{ type = \"cylinder\", centre = [1, 0, 0], radius = 1, half_height = 1 }}\n\
             mix = [{{ radius = {{ type = \"uniform\", min = 0.08, max = 0.16 }}, density = 1 }}, \
             {{ shape = {{ type = \"box\", half_extents = [0.1, 0.1, 0.15] }}, density = 1 }}]"
        )
    };
    let run = build(&text(0.2, 1));
    let bodies = run.simulation.bodies();
    let filled: f64 = bodies.masses.iter().sum::<f64>() / (2.0 * std::f64::consts::PI);
    assert!((0.2..0.21).contains(&filled), "{filled}");
    // That they do not overlap by a tenth, build() has checked; spheres must not at all.
    let spheres: Vec<(glam::DVec3, f64)> = (0..bodies.len())
        .filter_map(
            |body| match run.simulation.shapes().get(bodies.shapes[body])?.shape {
                moreau_collision::shapes::Shape::Sphere(s) => {
                    Some((bodies.poses[body].position, s.radius))
                }
                _ => None,
            },
        )
        .collect();
    assert!(spheres.len() > 20);
    for (i, (p, r)) in spheres.iter().enumerate() {
        for (q, s) in &spheres[..i] {
            assert!(p.distance(*q) > r + s);
        }
        let from_axis = (*p - glam::DVec3::X).truncate().length();
        assert!(from_axis + r <= 1.0 + 1e-9 && p.z.abs() + r <= 1.0 + 1e-9);
    }
    assert_eq!(build(&text(0.2, 1)).simulation.bodies(), bodies);
    assert_ne!(build(&text(0.2, 2)).simulation.bodies(), bodies);
    let told = errors(&text(0.6, 1)).to_string();
    assert!(told.contains("there is room for"), "{told}");
}

#[test]
fn a_grid_stands_where_it_should() {
    let run = build(
        "duration = 1\n[[generators]]\ntype = \"grid\"\nname = \"b\"\ncounts = [2, 3, 4]\n\
         spacing = [1, 2, 3]\norigin = [10, 0, 0]\n\
         mix = [{ shape = { type = \"box\", half_extents = [0.1, 0.1, 0.1] }, density = 1 }]",
    );
    let bodies = run.simulation.bodies();
    assert_eq!(bodies.len(), 24);
    let last = bodies.find("b.23").unwrap();
    assert_eq!(bodies.poses[last].position.to_array(), [11.0, 4.0, 9.0]);
    assert_eq!(run.simulation.shapes().len(), 1);
}

#[test]
fn a_solid_of_spheres_touches_and_stays_inside() {
    for (lattice, least) in [("cubic", 4 * 4 * 4), ("hexagonal", 50)] {
        let text = format!(
            "duration = 1\n[materials.glue]\ncohesion = 1\ndensity = 1\n[[generators]]\ntype = \"bonded\"\n\
             lattice = \"{lattice}\"\nshape = {{ type = \"box\", half_extents = [1, 1, 1] }}\nradius = 0.25\n\
             material = \"glue\"\nposition = [5, 0, 0]"
        );
        let run = build(&text);
        let bodies = run.simulation.bodies();
        assert!(bodies.len() >= least, "{lattice}: {}", bodies.len());
        let mut touching = 0;
        for i in 0..bodies.len() {
            let p = bodies.poses[i].position;
            assert!((p - glam::DVec3::X * 5.0).abs().max_element() <= 0.75 + 1e-6);
            for j in 0..i {
                let gap = p.distance(bodies.poses[j].position) - 0.5;
                assert!(gap > -1e-9, "{lattice}: {gap}");
                touching += usize::from(gap < 1e-9);
            }
        }
        let each = if lattice == "cubic" { 2 } else { 3 };
        assert!(touching > each * bodies.len(), "{lattice}: {touching}");
    }
}

#[test]
fn tables_of_spheres_are_read() {
    let directory = tempfile::tempdir().unwrap();
    let scene = |table: &str| {
        std::fs::write(directory.path().join("table.csv"), table).unwrap();
        let path = directory.path().join("scene.toml");
        let text = "duration = 1\n[[generators]]\ntype = \"csv\"\npath = \"table.csv\"\ndensity = 1\noffset = [1, 0, 0]";
        std::fs::write(&path, text).unwrap();
        moreau_scene::Scene::read(&path).unwrap().build()
    };
    for table in ["x,y,z,r\n0,0,0,1\n3,0,0,1\n", "0 0 0 1\n\n3 0 0 1"] {
        let run = scene(table).unwrap();
        assert_eq!(run.simulation.bodies().len(), 2);
        assert_eq!(run.simulation.bodies().poses[1].position.x, 4.0);
    }
    for table in [
        "",
        "0 0 0 1\nx y z r",
        "0 0 0\n",
        "0 0 0 -1",
        "a b\n1 1 1 nan",
    ] {
        let told = scene(table).unwrap_err().to_string();
        assert!(told.contains("table.csv"), "{told}");
    }
}
