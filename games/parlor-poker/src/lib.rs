//! Poker hands on the PHH notation.
