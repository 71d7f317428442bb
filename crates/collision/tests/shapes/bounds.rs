//! Boxes hold the surface and fit tightly.

use crate::common;

use moreau_collision::bounds::Bounds;
use moreau_collision::pose::Pose;
use moreau_collision::shapes::SurfaceDetail;

#[test]
fn boxes_hold_the_surface_and_fit() {
    let mut random = common::Random(1);
    for shape in common::solids(1.0) {
        let surface = shape.surface(&SurfaceDetail {
            segments: 96,
            extent: 1.0,
        });
        for _ in 0..20 {
            let pose = Pose::new(random.vector(3.0), random.rotation());
            let bounds = shape.bounds(&pose);
            let mut tight = Bounds::EMPTY;
            for &v in &surface.vertices {
                let p = pose.point(v);
                assert!(bounds.grown(1e-12).contains(p), "{}", shape.name());
                tight = tight.union(&Bounds { lower: p, upper: p });
            }
            let ratio = tight.extent() / bounds.extent();
            assert!(ratio.min_element() > 0.995, "{}: {ratio}", shape.name());
            let farthest = surface
                .vertices
                .iter()
                .map(|v| v.length())
                .fold(0.0, f64::max);
            let reach = shape.reach();
            assert!(
                farthest <= reach * (1.0 + 1e-12) && farthest > 0.99 * reach,
                "{}",
                shape.name()
            );
            assert!(shape.size() > 0.0 && shape.size() <= 0.5 * bounds.extent().max_element());
        }
    }
}
