"""A second, independent verifier of the signed records of Pentarchy tables."""
