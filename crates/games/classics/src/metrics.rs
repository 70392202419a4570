//! Metrics of the classics: nothing is counted by name, and every decision is a turn.

use crate::{ConnectFour, Kuhn, Leduc, TicTacToe};
use pentarchy_engine::Metrics;

impl Metrics for TicTacToe {}
impl Metrics for ConnectFour {}
impl Metrics for Kuhn {}
impl Metrics for Leduc {}
