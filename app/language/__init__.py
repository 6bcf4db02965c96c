"""What the service knows about human languages: words, stems, sentences, fixed lines. Pure."""
