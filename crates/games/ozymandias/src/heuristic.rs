//! Heuristic.
