//! Files of contact problems.
