//! Matches as programs that learn see them: in numbers, without texts.
//!
//! A [`Setup`] is a game with its number of seats, its options and its encoder. From it come a [`Batch`], many
//! matches that are stepped together and begin again by themselves; a [`SingleMatch`], in which nature plays
//! itself; and a [`TreeState`], in which nature's results are steps too. [`any`] is all of this without the
//! types of a game.

pub mod any;
mod arrays;
mod batch;
mod picture;
mod setup;
mod single;
mod tree;

pub use any::{AnyBatch, AnyEnvironments, AnyMatch, AnySetup, AnyTree};
pub use arrays::BatchArrays;
pub use batch::{Batch, BatchPlan};
pub use picture::{CellPicture, GridPicture, PicturedToken, TablePicture, ZonePicture, picture};
pub use setup::{EnvironmentError, Setup, reward};
pub use single::SingleMatch;
pub use tree::{TreeAwaits, TreeState};
