//! Small games: oxo is the one to copy.
