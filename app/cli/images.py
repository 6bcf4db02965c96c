"""``flask images``: the stored pictures, those of texts and covers."""

import click

from app.cli.output import Group
from app.content.posts.picture_upkeep import move_pictures
from app.infra.settings import current_settings

group = Group("images", help="Pictures of posts.")


@group.command("move")
def move() -> None:
    """Move all pictures to where IMAGE_STORAGE says. It may be stopped and started again at any time.

    A picture that the bucket has lost is named and passed over; the exit code is then 1.
    """
    moved = lost = 0
    for moved, row in move_pictures():
        if row:
            lost += 1
            click.echo(f"{row}: the bucket has lost its picture", err=True)
        elif moved % 100 == 0:
            click.echo(f"{moved} pictures moved so far")
    place = "the bucket" if current_settings().image_storage == "s3" else "the database"
    click.echo(f"{moved} pictures moved to {place}.")
    if lost:
        raise click.exceptions.Exit(1)
