//! Every method, one file each.

pub mod accelerated_gauss_seidel;
pub mod apgd;
pub mod apgd_scaled;
pub mod auto;
pub mod de_saxce;
pub mod gauss_seidel;
pub mod heavy_on_light;
pub mod interior_point;
pub mod jacobi;
pub mod krylov;
pub mod mass_scaled_start;
pub mod nncg;
pub mod proximal_masses;
pub mod proximal_newton;
mod proximal_steps;
pub mod quasi_newton;
mod quasi_newton_system;
pub mod smoothed_projection;
pub mod spg;

pub use accelerated_gauss_seidel::AcceleratedGaussSeidel;
pub use apgd::Apgd;
pub use apgd_scaled::ApgdScaled;
pub use auto::Auto;
pub use de_saxce::DeSaxce;
pub use gauss_seidel::GaussSeidel;
pub use heavy_on_light::HeavyOnLight;
pub use interior_point::InteriorPoint;
pub use jacobi::Jacobi;
pub use krylov::{Cg, Minres};
pub use mass_scaled_start::MassScaledStart;
pub use nncg::Nncg;
pub use proximal_masses::ProximalMasses;
pub use proximal_newton::ProximalNewton;
pub use quasi_newton::QuasiNewton;
pub use spg::Spg;

use crate::solver::ContactSolver;

/// Every method with its default settings, in the order in which they are listed to users.
pub fn all() -> Vec<Box<dyn ContactSolver>> {
    vec![
        Box::new(Auto::default()),
        Box::new(Jacobi::default()),
        Box::new(GaussSeidel::default()),
        Box::new(Apgd::default()),
        Box::new(ApgdScaled::default()),
        Box::new(Spg::default()),
        Box::new(Nncg::default()),
        Box::new(QuasiNewton::default()),
        Box::new(InteriorPoint::default()),
        Box::new(Cg::default()),
        Box::new(Minres::default()),
        Box::new(DeSaxce::default()),
        Box::new(ProximalNewton::default()),
        Box::new(AcceleratedGaussSeidel::default()),
        Box::new(HeavyOnLight::default()),
        Box::new(ProximalMasses::default()),
    ]
}

/// The method of a name, with its default settings.
///
/// # Errors
/// A message that lists the names there are.
pub fn by_name(name: &str) -> Result<Box<dyn ContactSolver>, String> {
    let mut names = Vec::new();
    for method in all() {
        if method.name() == name {
            return Ok(method);
        }
        names.push(method.name());
    }
    Err(format!(
        "there is no solver '{name}'; the solvers are {}",
        names.join(", ")
    ))
}
