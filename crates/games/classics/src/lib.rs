//! Classics.
