"""Options that say how links and XML documents are read."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import click

from linkfix.cli.options.operands import Parsed
from linkfix.cli.options.table import (
    Parameter,
    Where,
    bounded,
    choice,
    declared,
    flag,
    group,
    idna_option,
    label_option,
    local_names_option,
    option,
    settings,
    settings_of,
)
from linkfix.cli.output import complain
from linkfix.errors import LinkfixError, LinkMapError
from linkfix.links import Scope, Templates
from linkfix.links.html.embedded import How, parse_kinds
from linkfix.links.settings import XMLSettings
from linkfix.links.table import conventions
from linkfix.links.templates import Mark
from linkfix.markup.xml.limits import Limits
from linkfix.policy import Policy

if TYPE_CHECKING:
    from linkfix.links import Addition, Pattern
    from linkfix.policy import LinkMap

_EXISTING = click.Path(exists=True, dir_okay=False)
_LIMITS = Limits()


@settings
class XMLOptions:
    """How XML documents are read.

    Attributes:
        schema: XML Schema or RELAX NG (XML syntax): every anyURI is a link.
        catalog: OASIS XML catalog: where the schemas of documents are.
        dtd: Read the system identifier of a DOCTYPE as a link.
        signed: Rewrite XML that is signed, which makes signatures invalid.
        recover: Read XML that is not well-formed leniently, with a message.
        max_token: XML: The longest tag, comment or link text in bytes.
        max_depth: XML: The most elements that may be open.
        max_attributes: XML: The most attributes of one element.
        max_name: XML: The longest name in code points.

    """

    schema: str | None = option(type=_EXISTING, metavar="FILE")
    catalog: str | None = option(type=_EXISTING, metavar="FILE")
    dtd: bool = flag()
    signed: bool = flag(where=Where.LINE)
    recover: bool = flag()
    max_token: int = bounded("N", _LIMITS.token, 1)
    max_depth: int = bounded("N", _LIMITS.depth, 1)
    max_attributes: int = bounded("N", _LIMITS.attributes, 1)
    max_name: int = bounded("N", _LIMITS.name, 1)

    def settings(self) -> XMLSettings:
        """Make the settings that the options ask for."""
        schema = catalog = None
        if self.catalog or self.schema:
            from linkfix.links.schemas import Catalog, load

            try:
                catalog = Catalog(self.catalog, complain) if self.catalog else None
                schema = load(self.schema, catalog) if self.schema else None
            except LinkfixError as error:
                raise click.UsageError(str(error)) from None
        return settings_of(
            XMLSettings,
            self,
            limits=Limits(self.max_token, self.max_depth, self.max_attributes, self.max_name),
            on_recover=complain,
            on_schema=complain,
            schema=schema,
            catalog=catalog,
        )


def _addition(value: str) -> Addition:
    from linkfix.links import Addition

    return Addition.parse(value)


def _pattern(value: str) -> Pattern:
    from linkfix.links import Pattern

    return Pattern.parse(value)


def _embedded(value: str) -> tuple[tuple[str, How], ...]:
    return parse_kinds([value])


def _conventions(value: str) -> tuple[tuple[str, How], ...]:
    return parse_kinds([value], conventions())


class _Vocabulary(click.Path):
    """A file with links of vocabularies, which is read."""

    @staticmethod
    def parse(path: str) -> tuple[Addition, ...]:
        from linkfix.files.local import given_content
        from linkfix.links.vocabulary import read

        try:
            return (*read(given_content(path).decode("utf-8")),)
        except (LinkfixError, OSError, UnicodeError) as error:
            raise ValueError(f"{path}: {error}") from None

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return Parsed(self.parse).convert(super().convert(value, param, ctx), param, ctx)


def to_option() -> Any:
    """Declare what links become."""
    return choice("uri", text="Canonical URIs (ASCII, RFC 3986) or readable IRIs.")


def normalize_option(what: str = "new values are") -> Any:
    """Declare how far values are normalized."""
    return choice("none", text=f"How far {what} normalized besides.")


@settings
class LinkOptions:
    """How links are read.

    Attributes:
        default_charset: The charset of HTML that declares none, instead of a guess.
        syntax: How values are read; auto: Web Addresses in HTML, SVG and MathML, else LEIRIs.
        query_charset: The charset that queries are mapped to octets with; without it the document's, and
            links on whose charset readers disagree are left.
        nfc: Normalize values to NFC first; otherwise only LEIRIs of legacy charsets.
        add: Read another attribute as a link, as x-card@data-url or img@data-srcset=srcset.
        vocabularies: Read the links of the vocabularies in this TOML file too.
        skip: Leave links out, as img@src or a[rel=nofollow].
        select_links: Read only these links, as a@href or link[rel=stylesheet]@href.
        scripting: Read noscript as a browser that runs scripts does: as text, in which a document is
            embedded.
        embedded: Follow the links of embedded documents, only those whose targets move, list and leave them, or do not
            read them, as noframes=list; if not set, moves for json-ld and on for all else.
        conventions: Follow links that only scripts, crawlers or programs for mail know, or list and leave them, or
            do not read them, as lazy=on; if not set, meta is on, and in audit, migrate and mv all are.
        template_marks: Read values with these marks as templates too, as '[% %]'.
        templates: What becomes of templates: all is left, or what is not an expression is rewritten.

    """

    default_charset: str | None = label_option()
    syntax: Literal["auto", "web", "leiri", "iri"] = choice("auto")
    query_charset: str | None = label_option("document", metavar="document|LABEL")
    idna: Literal["uts46", "2008", "2003"] = idna_option()
    local_names: tuple[str, ...] = local_names_option()
    nfc: bool | None = option("--nfc/--no-nfc", default=None)
    add: tuple[Addition, ...] = option(
        "--link", multiple=True, type=Parsed(_addition), metavar="PATTERN[=KIND]"
    )
    vocabularies: tuple[tuple[Addition, ...], ...] = option(
        "--vocabulary",
        multiple=True,
        type=_Vocabulary(exists=True, dir_okay=False),
        metavar="FILE",
    )
    skip: tuple[Pattern, ...] = option(multiple=True, type=Parsed(_pattern), metavar="PATTERN")
    select_links: tuple[Pattern, ...] = option(
        "--only", multiple=True, type=Parsed(_pattern), metavar="PATTERN"
    )
    scripting: bool = option("--scripting/--no-scripting", default=True, show_default=True)
    embedded: tuple[tuple[tuple[str, How], ...], ...] = option(
        multiple=True, type=Parsed(_embedded), metavar="[KIND=]on|moves|list|off"
    )
    conventions: tuple[tuple[tuple[str, How], ...], ...] = option(
        multiple=True, type=Parsed(_conventions), metavar="[NAME=]on|list|off"
    )
    template_marks: tuple[Mark, ...] = option(
        "--template", multiple=True, type=Parsed(Mark.parse), metavar="'OPEN CLOSE'"
    )
    templates: Literal["leave", "convert"] = choice("leave")
    xml: XMLOptions = group(XMLOptions)

    def policy(self, *, by_convention: bool = False, **others: Any) -> Policy:
        """Make the policy that the options ask for.

        Args:
            by_convention: whether all conventions are on that the user did not switch off.
            others: settings of the policy that other options set.

        """
        ways: dict[str, How] = dict.fromkeys(conventions(), "on") if by_convention else {}
        scope = Scope(
            (*self.add, *chain(*self.vocabularies)),
            self.skip,
            self.select_links,
            scripting=self.scripting,
            embedded=(*chain(*self.embedded),),
            conventions=(*(ways | dict(chain(*self.conventions))).items(),),
            templates=Templates(self.template_marks, self.templates == "convert"),
        )
        return settings_of(Policy, self, scope=scope, xml=self.xml.settings(), **others)


def _style(_: click.Context, __: click.Parameter, styles: tuple[str, ...] | str) -> str:
    """Return the style that the options name; ``keep`` for none."""
    if isinstance(styles, str):  # click calls this for each option of the same name
        return styles
    if len(set(styles)) > 1:
        names = " and ".join(f"--{style}" for style in dict.fromkeys(styles))
        raise click.UsageError(f"{names} exclude each other.")
    return styles[0] if styles else "keep"


_STYLES = {
    "absolute": "Write links within the site with scheme and host.",
    "relative": "Write links within the site relative to their document.",
    "root-relative": "Write links within the site as paths from its root.",
}


@settings
class MapOptions:
    """A link map, and the style of references.

    Attributes:
        map_path: Lead links elsewhere, as the rules in a CSV or TOML file say.
        map_level: How links are compared with the rules of the map.
        unmatched_path: Write one line of JSON for each link that no rule of the map is for.

    """

    map_path: str | None = option("--map", type=click.Path(), metavar="FILE")
    map_level: Literal["simple", "syntax", "scheme"] = choice("scheme")
    unmatched_path: str | None = option(
        "--unmatched", where=Where.LINE, type=click.Path(), metavar="FILE"
    )
    style: Literal["keep", "absolute", "relative", "root-relative"] = declared(
        *(
            Parameter(
                (f"--{style}",),
                {"flag_value": style, "multiple": True, "callback": _style, "help": text},
            )
            for style, text in _STYLES.items()
        ),
        default="keep",
    )

    def target(self, site: str | None) -> LinkMap | None:
        """Read the link map; None for none. Where it cannot be used, messages say why and the command ends.

        Args:
            site: absolute IRI that relative rules are resolved against; None for none.

        """
        path = self.map_path
        if self.style != "keep" and site is None:
            raise click.UsageError(f"--{self.style} needs --base, the address of the document.")
        if path is None:
            if self.unmatched_path is not None:
                raise click.UsageError(
                    "--unmatched needs --map, whose rules links are held against."
                )
            return None
        from linkfix.files.local import given_content
        from linkfix.policy import LinkMap

        try:
            return LinkMap.read(given_content(path), path, level=self.map_level, site=site)
        except OSError as error:
            raise click.BadParameter(f"{path}: {error.strerror}", param_hint="--map") from None
        except LinkMapError as error:
            for each in (error, *error.others):
                complain(each)
            raise click.exceptions.Exit(2) from None
