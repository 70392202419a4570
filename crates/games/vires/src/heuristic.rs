//! What a sensible player looks at.
use crate::state::Vires;
use pentarchy_engine::Heuristic;
impl Heuristic for Vires {}
