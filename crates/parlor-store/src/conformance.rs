//! What every driver must do. One suite that names no driver: [`conformance_tests!`](crate::conformance_tests)
//! makes a test of each rule.

mod accounts;
mod appends;
mod duels;
mod faults;
mod fixture;
mod holds;
mod house;
mod money;
mod rulesets;
mod stakes;
mod statements;

use std::sync::Arc;

use crate::store::Store;

pub use accounts::*;
pub use appends::*;
pub use duels::*;
pub use faults::*;
pub use fixture::*;
pub use holds::*;
pub use house::*;
pub use money::*;
pub use rulesets::*;
pub use stakes::*;
pub use statements::*;

/// A driver under test, and the faults a test can cause.
pub trait Rig {
    /// The driver as it is now. After a crash it is another one.
    fn store(&self) -> Arc<dyn Store>;
    /// From now on nothing becomes durable, and no write is acknowledged; `false` lets everything through.
    fn hold_back(&mut self, held: bool);
    /// The process dies, and what was not durable is gone; a new one opens what is left. Nothing is held back.
    fn crash(&mut self);
    /// The disk fills up; or has room again.
    fn set_full(&mut self, full: bool);
    /// The disk becomes read-only; or writable again.
    fn set_read_only(&mut self, read_only: bool);
    /// How many times rarer the rules that crash at random do so: for a driver whose crash takes long.
    fn crashes_rarer_by(&self) -> u32 {
        1
    }
}

/// Makes a test of every rule, for the driver that this function sets up. After `maybe` it returns an `Option`: where it
/// returns none, because what the driver needs is not there, the rule is passed over.
#[macro_export]
macro_rules! conformance_tests {
    ($make:path) => {
        $crate::conformance_tests! { @all [$make] }
    };
    (maybe $make:path) => {
        $crate::conformance_tests! { @all [maybe $make] }
    };
    (@all [$($how:tt)*]) => {
        $crate::conformance_tests! { $($how)*:
            what_was_appended_is_read_back
            a_table_is_a_chain_of_matches
            an_entry_must_follow_the_one_before_it
            a_stale_sequence_is_a_conflict
            the_same_append_again_is_recognised
            an_ambiguous_timeout_then_a_retry_stores_once
            a_flush_of_many_appends_keeps_their_order
            tables_are_listed_in_pages
            tables_are_listed_newest_first
            eight_writers_duel_and_nothing_is_lost
            a_higher_epoch_takes_over
            epochs_only_rise
            unsynced_writes_are_lost_whole_and_can_be_made_again
            what_was_acknowledged_survives_every_crash
            a_full_disk_is_told_and_recovers
            a_read_only_disk_is_told_and_recovers
            a_refused_write_does_its_neighbours_no_harm
            tokens_move_with_their_entries
            a_hold_is_made_once_and_released_whole
            an_append_takes_from_a_hold_and_gives_the_rest_back
            a_hold_that_is_too_small_or_gone_pays_nothing
            a_refused_append_leaves_its_hold_untouched
            of_two_appends_that_want_one_hold_one_gets_it
            a_hold_pays_only_for_what_names_it
            a_hold_may_be_filled_up_by_the_house_first
            holds_that_have_something_are_listed_with_their_payers
            what_came_out_of_a_hold_is_due_to_its_payer
            a_statement_says_what_moved_with_whom_and_why
            every_reason_is_kept
            a_reason_is_part_of_what_a_key_stands_for
            a_line_has_the_balance_before_it_and_its_change
            a_statement_is_read_in_pages
            a_retry_or_a_refusal_adds_no_line
            a_statement_outlives_the_table
            nothing_is_paid_twice
            only_the_mint_is_below_zero
            no_write_turns_one_currency_into_another
            tokens_are_conserved_over_random_postings
            stakes_and_pay_outs_are_conserved
            finished_tables_are_forgotten_unless_tokens_lie_there
            a_token_is_one_players_only
            a_name_is_one_players_only
            an_account_and_its_tokens_change_together
            a_match_is_rated_once_with_the_entry_that_ends_it
            the_highest_ratings_lead_and_two_players_are_compared
            a_stopped_table_knows_what_it_owes_to_whom
            rooms_and_the_audit_log_are_kept
            every_version_of_a_ruleset_is_kept
            a_ruleset_is_one_authors_and_its_versions_never_change
            a_ruleset_is_withdrawn_or_taken_down
        }
    };
    ($make:path: $($rule:ident)*) => {
        $(
            #[test]
            fn $rule() {
                $crate::conformance::$rule(&mut $make());
            }
        )*
    };
    (maybe $make:path: $($rule:ident)*) => {
        $(
            #[test]
            fn $rule() {
                if let Some(mut rig) = $make() {
                    $crate::conformance::$rule(&mut rig);
                }
            }
        )*
    };
}
