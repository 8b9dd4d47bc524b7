"""Ordinary values, for properties of the engine and of the rules.

They are made part by part: a generator by the pattern itself makes few of them, and slowly.
"""

from __future__ import annotations

import string

from hypothesis import strategies as st

from linkfix.iri.quick import ORDINARY

__all__ = ["VALUES"]

_CHARS = string.ascii_letters + string.digits + "-._~!$&()*+,;=@:"
_OCTETS = [f"%{octet:02X}" for octet in b' "#<>?@[]^`{|};=$']


def _parts(more: str) -> st.SearchStrategy[str]:
    """Return texts of characters and octets that a part of an ordinary value may have."""
    one = st.one_of(st.sampled_from(_CHARS + more), st.sampled_from(_OCTETS))
    return st.lists(one, max_size=6).map("".join)


#: Values that match `ORDINARY`.
VALUES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "/", "./", "../", "./../../", "http://a.example/", "https://x-1.b.co/"]),
    st.lists(_parts(""), min_size=1, max_size=4).map("/".join),
    st.one_of(st.just(""), _parts("/?").map("?{}".format)),
    st.one_of(st.just(""), _parts("/?").map("#{}".format)),
).filter(lambda value: ORDINARY.fullmatch(value) is not None)
