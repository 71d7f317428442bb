//! Every method, one file each.

pub mod accelerated_gauss_seidel;
pub mod apgd;
pub mod apgd_scaled;
pub mod gauss_seidel;
pub mod interior_point;
pub mod jacobi;
pub mod nncg;
pub mod proximal_newton;
pub mod spg;

pub use accelerated_gauss_seidel::AcceleratedGaussSeidel;
pub use apgd::Apgd;
pub use apgd_scaled::ApgdScaled;
pub use gauss_seidel::GaussSeidel;
pub use interior_point::InteriorPoint;
pub use jacobi::Jacobi;
pub use nncg::Nncg;
pub use proximal_newton::ProximalNewton;
pub use spg::Spg;

use crate::solver::ContactSolver;

/// Every method with its default settings, in the order in which they are listed to users.
pub fn all() -> Vec<Box<dyn ContactSolver>> {
    vec![
        Box::new(Jacobi::default()),
        Box::new(GaussSeidel::default()),
        Box::new(Apgd::default()),
        Box::new(ApgdScaled::default()),
        Box::new(Spg::default()),
        Box::new(Nncg::default()),
        Box::new(ProximalNewton::default()),
        Box::new(AcceleratedGaussSeidel::default()),
        Box::new(InteriorPoint::default()),
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
