"""The source documents clause by clause, each with a check."""

from __future__ import annotations

from . import bis2to4, bis5to8, others
from .model import Document

DOCUMENTS = (
    Document("3987bis", "draft-ietf-iri-3987bis-01", (*bis2to4.CLAUSES, *bis5to8.CLAUSES)),
    Document("weber", "draft-weber-iri-guidelines-01", others.WEBER),
    Document("iuc19", "Internationalized Resource Identifiers: From Specification to Testing (IUC 19)", others.IUC),
    Document("url-i18n", "draft-masinter-url-i18n-07", others.I18N),
    Document("comparison", "draft-ietf-iri-comparison-02", others.COMPARISON),
    Document("since", "Published since, or beside", others.LATER),
)  # fmt: skip
