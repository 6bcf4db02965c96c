"""What all pages of the dashboard share: access, errors, assets and presentation."""
