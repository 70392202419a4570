//! Hegemony: deck building and dice around a crumbling empire.
