//! The suite: with the default options, and with as much as possible put into one row.

use crate::bench::bench;

parlor_store::conformance_tests!(bench);

mod together {
    use std::time::Duration;

    use parlor_store_sqlite::Together;

    use crate::bench::{Bench, bench_with};

    /// Every flush is one row, and is carried over after a few.
    fn bench() -> Bench {
        bench_with(Together { tables_min: 1, bytes_max: 2000, wait: Duration::ZERO })
    }

    parlor_store::conformance_tests!(bench);
}

mod gathered {
    use std::time::Duration;

    use parlor_store_sqlite::Together;

    use crate::bench::{Bench, bench_with};

    /// Every flush is one row, and stays where it is until the store is opened anew.
    fn bench() -> Bench {
        bench_with(Together { tables_min: 1, bytes_max: usize::MAX, wait: Duration::ZERO })
    }

    parlor_store::conformance_tests!(bench);
}
