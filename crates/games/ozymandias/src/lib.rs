//! Ozymandias: gods bid on rising and falling factions.
