//! Vires In Numeris: a race for the longest chain.
