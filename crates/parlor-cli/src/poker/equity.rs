//! `parlor poker equity`

use super::Failure;

#[derive(clap::Args)]
pub(super) struct Args {}

pub(super) fn run(_args: &Args) -> Result<(), Failure> {
    Ok(())
}
