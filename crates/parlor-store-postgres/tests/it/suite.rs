//! The suite: on a primary that is killed and started again, and on one whose standby takes over.

use crate::bench::bench;

parlor_store::conformance_tests!(maybe bench);

mod failing_over {
    use crate::bench::failing_over;

    // Each crash costs a new standby: the rules in which something is held back when the primary dies, and one more.
    parlor_store::conformance_tests! { maybe failing_over:
        unsynced_writes_are_lost_whole_and_can_be_made_again
        an_ambiguous_timeout_then_a_retry_stores_once
        a_higher_epoch_takes_over
        epochs_only_rise
    }
}
