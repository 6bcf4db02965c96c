"""What a post may be made from: the snapshot of pages, cut into sections."""
