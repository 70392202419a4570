//! The Hestian Civil Wars: a card-driven block wargame.
