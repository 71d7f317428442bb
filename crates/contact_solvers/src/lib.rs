//! Contact problems over cones, their solvers and their referee.
