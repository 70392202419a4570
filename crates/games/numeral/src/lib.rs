//! Numeral Empire: a hex conquest where armies are numbers.
