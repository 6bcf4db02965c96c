"""API keys with a former secret, for one project, and for some scopes"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("api_keys") as table:
        table.add_column(sa.Column("project_id", _ID))
        table.add_column(sa.Column("scopes", sa.JSON()))
        table.add_column(sa.Column("former_digest", sa.LargeBinary(32)))
        table.add_column(sa.Column("former_expires_at", sa.DateTime(timezone=True)))
        table.create_foreign_key(
            op.f("fk_api_keys_project_id"), "projects", ["project_id"], ["id"], ondelete="CASCADE"
        )
        table.create_unique_constraint(op.f("uq_api_keys_former_digest"), ["former_digest"])
        table.create_index("ix_api_keys_project_id", ["project_id"])


def downgrade() -> None:
    # The version before would let a limited key do everything.
    op.execute("DELETE FROM api_keys WHERE project_id IS NOT NULL OR scopes IS NOT NULL")
    with op.batch_alter_table("api_keys") as table:
        table.drop_index("ix_api_keys_project_id")
        table.drop_constraint(op.f("uq_api_keys_former_digest"), type_="unique")
        table.drop_constraint(op.f("fk_api_keys_project_id"), type_="foreignkey")
        for column in ("former_expires_at", "former_digest", "scopes", "project_id"):
            table.drop_column(column)
