//! Scripts: how they ask, how they are resumed, and what happens when they misbehave.

mod afternoon;
mod executor;
mod guide;
mod parts;
mod requests;
mod small;
mod undo;
