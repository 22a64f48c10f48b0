//! The log in SQLite, against the suite.

use crate::bench::bench;

parlor_store::conformance_tests!(bench);
