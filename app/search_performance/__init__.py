"""How a project does in search: imported clicks, impressions and positions, and what they suggest."""
