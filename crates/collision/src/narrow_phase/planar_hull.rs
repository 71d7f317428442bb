//! The outline of points in a plane.

use super::feature::{CORNERS, Feature};
use glam::{DVec2, DVec3};

/// The most points that are looked at.
const POINTS: usize = 64;

/// Pushes the outline of the points at or above a height along a normal, counter-clockwise about it; of a long outline
/// evenly chosen corners. By Andrew's monotone chain: in the order of x, a lower and an upper chain that turn left.
pub(super) fn planar_hull(vertices: &[DVec3], normal: DVec3, height: f64, feature: &mut Feature) {
    let (u, v) = normal.any_orthonormal_pair();
    let mut points = [(DVec2::ZERO, 0usize); POINTS];
    let mut count = 0;
    for (index, vertex) in vertices.iter().enumerate() {
        if vertex.dot(normal) >= height && count < POINTS {
            points[count] = (DVec2::new(vertex.dot(u), vertex.dot(v)), index);
            count += 1;
        }
    }
    let points = &mut points[..count];
    points.sort_unstable_by(|(p, i), (q, j)| {
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(i.cmp(j))
    });
    let mut outline = [(DVec2::ZERO, 0usize); 2 * POINTS];
    let mut length = 0;
    for pass in 0..2 {
        let base = length;
        for step in 0..count {
            let point = points[if pass == 0 { step } else { count - 1 - step }];
            while length >= base + 2 {
                let (p, q) = (outline[length - 2].0, outline[length - 1].0);
                let (a, b) = (q - p, point.0 - p);
                // Straight up to rounding is no corner.
                if a.perp_dot(b) > 1e-9 * a.length() * b.length() {
                    break;
                }
                length -= 1;
            }
            outline[length] = point;
            length += 1;
        }
        // The last point of each chain is the first of the other.
        length = length.saturating_sub(1);
    }
    let kept = length.min(CORNERS);
    for k in 0..kept {
        let (_, index) = outline[k * length / kept];
        feature.push(vertices[index], index as u16);
    }
}
