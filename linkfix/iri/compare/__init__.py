"""Normal forms and comparison."""
