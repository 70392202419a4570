//! The classics count nothing by name: every decision is a turn, and the end says all.

use crate::{ConnectFour, Kuhn, Leduc, TicTacToe};
use pentarchy_engine::Metrics;

impl Metrics for TicTacToe {}
impl Metrics for ConnectFour {}
impl Metrics for Kuhn {}
impl Metrics for Leduc {}
