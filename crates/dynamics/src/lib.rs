//! Bodies in time: forces, joints, contacts, steps.
