"""Acting."""
