//! The probes pass the kit; planted faults do not.

mod faults;
mod probes;
