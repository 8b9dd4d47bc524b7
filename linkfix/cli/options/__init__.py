"""Options that several commands share, and the settings files that set them."""
