//! Tournaments, ratings and the balance report of any game.
