"""Uploaded files that wait for a person to confirm their import, as rows."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.infra.clock import utc_now
from app.infra.db import Base, BigId


class UploadedFile(Base):
    """A file that was uploaded to be imported; a project has one at most for each purpose."""

    __tablename__ = "uploaded_files"
    __table_args__ = (UniqueConstraint("project_id", "purpose"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    project_id: Mapped[int] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    purpose: Mapped[str] = mapped_column(String(10))
    name: Mapped[str] = mapped_column(String(200))
    data: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
