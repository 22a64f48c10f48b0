//! The contract: what a match is.
