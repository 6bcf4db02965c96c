"""Turns the HTML of a page into blocks of text."""
