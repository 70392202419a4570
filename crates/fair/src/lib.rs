//! Fair play.
