//! Players for every game: random, heuristic, information-set search; levels and hints.
