//! What the game is held to, in one program: each part would compile the whole game anew.

mod laws;
mod published;
mod scenarios;
