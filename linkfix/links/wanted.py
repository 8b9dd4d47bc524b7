"""The wanted names of HTML, made from the table of links and the user's choice.

Input: the table and a scope. Output: `Wanted`, from which `linkfix.markup.html.skip` makes its pattern. The most common links
are *simple*: the skip returns them without their tags. All others make their tags wanted.
"""

from collections.abc import Container, Iterator
from functools import lru_cache

from linkfix.links.html.embedded import SCRIPTS, TEXTS
from linkfix.links.html.hashes import POLICY
from linkfix.links.link import Kind
from linkfix.links.scope import Scope
from linkfix.links.table import Entry, html_table
from linkfix.markup.html.elements_data import HTML, TEXT_STATES
from linkfix.markup.html.feedback import TURNING
from linkfix.markup.html.skip import Conditions, Wanted
from linkfix.markup.html.tokens import COMMENT

#: The elements whose content is text and no markup.
_TEXTS = frozenset(name.decode() for name in TEXT_STATES) | {"noscript"}
#: The element after whose start tag the rest of the document is text.
_ENDLESS = "plaintext"
#: The most common links: attributes, each with its elements. The tokenizer reads all others, since a longer pattern
#: would cost time for every tag.
_SIMPLE = (
    ("href", frozenset({"a", "area", "link"})),
    ("src", frozenset({"frame", "iframe", "img", "input", "script", "source"})),
    ("action", frozenset({"form"})),
)
#: The attributes that say the charset and the language of another file.
SAYING = frozenset({"charset", "hreflang"})
#: The elements that set a base URL for other links.
_RULING = frozenset({"base", "object", "applet"})
#: Characters of which a value of the kind has at least one, if it contains a link.
_MARKS = {Kind.CSS: "(@&\\"}


@lru_cache(maxsize=64)
def wanted(scope: Scope, *, names: bool, simple: bool, says: bool = False) -> Wanted:
    """Return the names that are wanted.

    Args:
        scope: which values count as links.
        names: whether the targets of fragments are wanted.
        simple: whether links and names may be returned without their tags.
        says: whether the tags are wanted that say how another file is read.

    """
    simple = simple and not (scope.add or scope.restricts)
    attributes: set[str] = {"id", "name"} if names and not simple else set()
    attributes |= scope.added_names | (SAYING if says else set())
    marked: dict[str, str] = {}
    for element, attribute, entries in _rows(scope) if scope.links else ():
        if element != "*" and all(entry.when for entry in entries):
            continue
        if all(entry.kind in _MARKS for entry in entries):
            marked[attribute] = "".join(_MARKS[entry.kind] for entry in entries)
        else:
            attributes.add(attribute)
    elements = {_ENDLESS} | ({"noscript"} if not scope.scripting else set())
    elements |= {"script"} if says else set()  # a module is in UTF-8, whatever its page is
    followed = {name.decode() for name, kind in TEXTS.items() if scope.how(kind.name) != "off"}
    followed = followed if scope.links or names else set()
    if scope.links:
        elements |= {"style"} | (_RULING if simple else set())
    scripts = {type for type, kind in SCRIPTS.items() if scope.how(kind.name) != "off"}
    documents = (_TEXTS & followed) - elements
    texts = _TEXTS - elements - documents
    return Wanted(
        TURNING | elements,
        frozenset(attributes),
        _conditions(scope) if scope.links else (),
        tuple((name, chars) for name, chars in marked.items() if name not in attributes),
        texts,
        documents,
        COMMENT.decode() in followed,
        tuple(_single(attributes)) if simple and scope.links else (),
        names and simple,
        frozenset(scripts) if scope.links else frozenset(),
    )


def _conditions(scope: Scope) -> Conditions:
    """Return the elements with attributes that are links under a condition, with these conditions."""
    conditions: dict[str, dict[str, frozenset[str]]] = {}
    for element, _, entries in _rows(scope):
        if element != "*" and all(entry.when for entry in entries):
            own = conditions.setdefault(element, {})
            for name, values in (when for entry in entries for when in entry.when):
                own[name] = own.get(name, frozenset()) | values
    if meta := conditions.get("meta"):  # a policy in one says which links are left
        meta["http-equiv"] = meta.get("http-equiv", frozenset()) | {POLICY}
    return tuple((name, tuple(own.items())) for name, own in conditions.items())


def _rows(scope: Scope) -> Iterator[tuple[str, str, tuple[Entry, ...]]]:
    """Yield element, attribute and rows of HTML, with ``*`` for any element."""
    for (namespace, element), rows in html_table(scope.conventions).attributes.items():
        if namespace in {HTML, "*"}:
            for attribute, entries in rows.items():
                if isinstance(attribute, str):
                    yield element, attribute, entries


def _single(attributes: Container[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the attributes whose whole value is one link, each with its elements."""
    for attribute, elements in _SIMPLE:
        entries = [html_table(()).of_element(HTML, element)[attribute] for element in elements]
        are_single = all(
            entry.kind is Kind.SINGLE and not entry.when for own in entries for entry in own
        )
        if attribute in attributes and are_single:
            yield attribute, elements
