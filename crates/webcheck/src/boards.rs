//! The boards, compiled from the files of the client.

#[path = "../../web/src/boards/hegemony/mod.rs"]
mod hegemony;
#[path = "../../web/src/boards/hestia/mod.rs"]
mod hestia;
#[path = "../../web/src/boards/numeral/mod.rs"]
mod numeral;
#[path = "../../web/src/boards/ozymandias/mod.rs"]
mod ozymandias;
#[path = "../../web/src/boards/vires/mod.rs"]
mod vires;
