//! Ellipsoids: the distance of a point, and of another ellipsoid.

use super::ContactPoint;
use crate::pose::Pose;
use crate::shapes::Ellipsoid;
use glam::{DMat3, DVec3};

/// Outward normal and signed distance of a point y from the ellipsoid of semi-axes a.
///
/// The foot x has y − x along the gradient: y_i − x_i = t x_i / a_i², hence x_i = a_i² y_i / (t + a_i²) with
/// F(t) = Σ (a_i y_i / (t + a_i²))² − 1 = 0. The largest root gives the nearest foot. F falls and is convex right of
/// −min a², so Newton's method from the left climbs to the root without a bracket. At the start max (a_i |y_i| − a_i²)
/// one term is 1 and none is more, hence F ≤ 2 and the quadratic phase begins at once.
pub(super) fn from_ellipsoid(point: DVec3, semi: DVec3) -> (DVec3, f64) {
    // In units of the smallest axis: no power of a length over- or underflows.
    let unit = semi.min_element();
    let (a, y) = (semi / unit, point.abs() / unit);
    let squares = a * a;
    let mut t = (a * y - squares).max_element().max(-1.0);
    let mut foot = DVec3::ZERO;
    for _ in 0..60 {
        let (mut value, mut slope) = (-1.0, 0.0);
        for i in 0..3 {
            let below = t + squares[i];
            if y[i] > 0.0 && below > 0.0 {
                let ratio = a[i] * y[i] / below;
                value += ratio * ratio;
                slope += 2.0 * ratio * ratio / below;
                foot[i] = squares[i] * y[i] / below;
            }
        }
        if value <= 1e-15 || slope <= 0.0 {
            // Left of the root only if a smallest axis has no coordinate: the foot is then beside that plane.
            if value < -1e-12 {
                let axis = if a.z == 1.0 {
                    2
                } else if a.y == 1.0 {
                    1
                } else {
                    0
                };
                foot[axis] = (-value).sqrt();
            }
            break;
        }
        let step = value / slope;
        t += step;
        if step <= 1e-16 * t.abs() {
            break;
        }
    }
    let foot = foot * DVec3::ONE.copysign(point);
    let gradient = foot / squares;
    let outward = gradient.try_normalize().unwrap_or(DVec3::Z);
    let signed = (point / unit - foot).dot(outward);
    (outward, unit * signed)
}

/// An ellipsoid as the matrix M = R diag(a²) Rᵀ of its support function h(n) = √(nᵀ M n), in world axes.
fn shape_matrix(ellipsoid: &Ellipsoid, pose: &Pose) -> DMat3 {
    let axes = DMat3::from_quat(pose.rotation);
    let semi = ellipsoid.semi_axes;
    let (p, q, r) = (
        semi.x * axes.x_axis,
        semi.y * axes.y_axis,
        semi.z * axes.z_axis,
    );
    DMat3::from_cols(
        p.x * p + q.x * q + r.x * r,
        p.y * p + q.y * q + r.y * r,
        p.z * p + q.z * q + r.z * r,
    )
}

/// A normal to begin with: that of ellipsoids which touch, but for what is put in the place of their sum.
///
/// They touch when the line of centres c ends on the sum of both, whose support function is h_A + h_B. The ellipsoid of
/// matrix M = (h_A + h_B) (A/h_A + B/h_B) has the same support, with the same derivative, in the direction n where h_A and h_B
/// are taken, and a larger one elsewhere. Its normal at c is M⁻¹c. First n is the direction of c; then what came of it, with c
/// moved along n by the gap there. From here Newton's method takes two to three steps, from the direction of c four to five.
fn first_normal(line: DVec3, ma: &DMat3, mb: &DMat3) -> Option<DVec3> {
    let normal_at = |end: DVec3, ratio: f64| {
        let sum = *ma + *mb * ratio;
        let [x, y, z] = [sum.x_axis, sum.y_axis, sum.z_axis];
        // M⁻¹c but for the determinant, which is positive.
        let adjugate = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
        (adjugate * end).try_normalize()
    };
    let heights = |n: DVec3| [ma, mb].map(|matrix| n.dot(*matrix * n).sqrt());
    let [ha, hb] = heights(line);
    let n = normal_at(line, ha / hb)?;
    let [ha, hb] = heights(n);
    let gap = line.dot(n) - ha - hb;
    normal_at(line - gap * n, ha / hb)
}

/// The contact of two ellipsoids.
///
/// The separation s(n) = c·n − √(nᵀAn) − √(nᵀBn), c from centre to centre, is largest at the contact normal. Newton's
/// method on the sphere of normals: with the gradient g = c − An/h_A − Bn/h_B (at the maximum along n, which says that
/// the line of the contact points is the normal) and −C the second derivative of s across n, whose C is the sum of the
/// radii of curvature, the step d across n solves (C + s) d = g. Where C + s is not positive (deep overlap) a multiple
/// of the identity is added; a step that does not climb is halved.
pub(super) fn ellipsoids(
    (a, pose_a): (&Ellipsoid, &Pose),
    (b, pose_b): (&Ellipsoid, &Pose),
    envelope: f64,
) -> Option<ContactPoint> {
    let line = pose_b.position - pose_a.position;
    let reach = a.semi_axes.max_element() + b.semi_axes.max_element() + envelope;
    let squared = line.length_squared();
    if squared > reach * reach || reach < 0.0 {
        return None;
    }
    // The separation along the line of centres, times its length: most pairs that are apart are so there.
    let height = |ellipsoid: &Ellipsoid, pose: &Pose| {
        (ellipsoid.semi_axes * pose.local_direction(line)).length()
    };
    if squared - height(a, pose_a) - height(b, pose_b) > envelope * squared.sqrt() {
        return None;
    }
    let (ma, mb) = (shape_matrix(a, pose_a), shape_matrix(b, pose_b));
    let separation = |n: DVec3| line.dot(n) - n.dot(ma * n).sqrt() - n.dot(mb * n).sqrt();
    let start = first_normal(line, &ma, &mb)
        .or_else(|| line.try_normalize())
        .unwrap_or_else(|| thinnest(a, pose_a));
    let mut best = climb(line, &ma, &mb, start, envelope)?;
    // Overlapping ellipsoids have several locally deepest normals; the short axes lead to the others.
    if best.1 < -0.2 * a.semi_axes.min_element().min(b.semi_axes.min_element()) {
        for (ellipsoid, pose) in [(a, pose_a), (b, pose_b)] {
            let axis = thinnest(ellipsoid, pose);
            let start = if separation(axis) >= separation(-axis) {
                axis
            } else {
                -axis
            };
            if let Some(other) = climb(line, &ma, &mb, start, envelope)
                && other.1 > best.1
            {
                best = other;
            }
        }
    }
    let (n, gap) = best;
    if gap > envelope {
        return None;
    }
    let on_a = pose_a.position + ma * n / n.dot(ma * n).sqrt();
    let on_b = pose_b.position - mb * n / n.dot(mb * n).sqrt();
    Some(ContactPoint {
        feature: 0,
        point: 0.5 * (on_a + on_b),
        normal: n,
        gap,
    })
}

/// The direction of the shortest axis.
fn thinnest(ellipsoid: &Ellipsoid, pose: &Pose) -> DVec3 {
    let semi = ellipsoid.semi_axes;
    let least = semi.min_element();
    pose.direction(if semi.z == least {
        DVec3::Z
    } else if semi.y == least {
        DVec3::Y
    } else {
        DVec3::X
    })
}

/// The normal and the separation at a local maximum; `None` as soon as a separation is above the envelope.
fn climb(line: DVec3, ma: &DMat3, mb: &DMat3, start: DVec3, envelope: f64) -> Option<(DVec3, f64)> {
    let mut n = start;
    let (mut an, mut bn) = (*ma * n, *mb * n);
    let (mut ha, mut hb) = (n.dot(an).sqrt(), n.dot(bn).sqrt());
    let mut s = line.dot(n) - ha - hb;
    for _ in 0..60 {
        if s > envelope {
            return None;
        }
        let gradient = line - an / ha - bn / hb;
        let (u, v) = n.any_orthonormal_pair();
        let (gu, gv) = (gradient.dot(u), gradient.dot(v));
        // C = (A − An nᵀA/h²)/h and the same of B, in the plane across n.
        let both = *ma * ha.recip() + *mb * hb.recip();
        let (cu, cv) = (both * u, both * v);
        let (pa, qa) = (u.dot(an) / ha, v.dot(an) / ha);
        let (pb, qb) = (u.dot(bn) / hb, v.dot(bn) / hb);
        let mut cuu = u.dot(cu) - pa * pa / ha - pb * pb / hb + s;
        let cuv = u.dot(cv) - pa * qa / ha - pb * qb / hb;
        let mut cvv = v.dot(cv) - qa * qa / ha - qb * qb / hb + s;
        let middle = 0.5 * (cuu + cvv);
        let least = middle - (0.25 * (cuu - cvv) * (cuu - cvv) + cuv * cuv).sqrt();
        let floor = 1e-3 * (ha + hb);
        if least < floor {
            cuu += floor - least;
            cvv += floor - least;
        }
        let determinant = cuu * cvv - cuv * cuv;
        let mut du = (cvv * gu - cuv * gv) / determinant;
        let mut dv = (cuu * gv - cuv * gu) / determinant;
        let turn = du * du + dv * dv;
        // A turn of more than half a radian leaves the reach of the quadratic model.
        if turn > 0.25 {
            let shorten = 0.5 / turn.sqrt();
            du *= shorten;
            dv *= shorten;
        }
        let mut climbed = false;
        for _ in 0..30 {
            let new = (n + du * u + dv * v).normalize();
            let (new_an, new_bn) = (*ma * new, *mb * new);
            let (new_ha, new_hb) = (new.dot(new_an).sqrt(), new.dot(new_bn).sqrt());
            let new_s = line.dot(new) - new_ha - new_hb;
            if new_s >= s - 1e-15 * (ha + hb) {
                climbed = true;
                (n, an, bn, ha, hb, s) = (new, new_an, new_bn, new_ha, new_hb, new_s);
                break;
            }
            du *= 0.5;
            dv *= 0.5;
        }
        // The step after this one would be its square: the normal is right to 1e-14.
        if !climbed || turn < 1e-14 {
            break;
        }
    }
    Some((n, s))
}
