//! The session of peers: engine, fair play and a signed log, without sockets, clocks or threads.
