"""The tables of ``links/tables/*.toml``.

``tools/make_tables.py`` made this file: do not edit it.
"""

from __future__ import annotations

from typing import Any

TABLES: dict[str, Any] = {
    "appstream": {
        "namespace": "https://specifications.freedesktop.org/metainfo/1.0",
        "roots": ["component", "components"],
        "link": [
            {
                "elements": ["url"],
                "content": True,
                "source": "AppStream 1.0, 2.1.3, url; 2.4.3, url of a release",
            },
            {
                "elements": ["image", "video", "screenshot"],
                "content": True,
                "source": "AppStream 1.0, 2.1.3, screenshots; a screenshot was the address itself before 0.6",
            },
            {
                "elements": ["icon"],
                "content": True,
                "when": {"type": "remote"},
                "source": "AppStream 1.0, 2.1.3, icon",
            },
            {
                "elements": ["launchable"],
                "content": True,
                "when": {"type": "url"},
                "source": "AppStream 1.0, 2.1.3, launchable",
            },
            {
                "elements": ["location"],
                "content": True,
                "source": "AppStream 1.0, 2.4.3, artifacts",
            },
            {
                "elements": ["issue", "releases"],
                "attribute": "url",
                "source": "AppStream 1.0, 2.4.2, releases; 2.4.3, issues",
            },
            {
                "elements": ["components"],
                "attribute": "media_baseurl",
                "source": "AppStream 1.0, 3.1.2",
            },
        ],
    },
    "atom": {
        "namespace": "http://www.w3.org/2005/Atom",
        "feed": True,
        "query": "disputed",
        "link": [
            {"elements": ["link"], "attribute": "href", "source": "RFC 4287, 4.2.7.1"},
            {"elements": ["content"], "attribute": "src", "source": "RFC 4287, 4.1.3.2"},
            {"elements": ["generator"], "attribute": "uri", "source": "RFC 4287, 4.2.4"},
            {"elements": ["icon", "logo"], "content": True, "source": "RFC 4287, 4.2.5, 4.2.8"},
            {"elements": ["uri"], "content": True, "source": "RFC 4287, 3.2.2"},
            {
                "elements": ["title", "subtitle", "summary", "content", "rights"],
                "content": True,
                "kind": "document",
                "when": {"type": "html"},
                "source": "RFC 4287, 3.1.1.2",
            },
            {"elements": ["id"], "content": True, "kind": "identity", "source": "RFC 4287, 4.2.6"},
            {
                "elements": ["category"],
                "attribute": "scheme",
                "kind": "identity",
                "source": "RFC 4287, 4.2.2.2",
            },
        ],
    },
    "thread": {
        "namespace": "http://purl.org/syndication/thread/1.0",
        "query": "disputed",
        "link": [
            {
                "elements": ["in-reply-to"],
                "attributes": ["href", "source"],
                "source": "RFC 4685, 3",
            },
            {
                "elements": ["in-reply-to"],
                "attribute": "ref",
                "kind": "identity",
                "source": "RFC 4685, 3",
            },
        ],
    },
    "atompub": {
        "namespace": "http://www.w3.org/2007/app",
        "feed": True,
        "query": "disputed",
        "link": [
            {
                "elements": ["collection", "categories"],
                "attribute": "href",
                "source": "RFC 5023, 8.3.3, 7.2.1.1",
            },
            {
                "elements": ["categories"],
                "attribute": "scheme",
                "kind": "identity",
                "source": "RFC 5023, 7.2.1",
            },
        ],
    },
    "atom03": {
        "namespace": "http://purl.org/atom/ns#",
        "feed": True,
        "query": "disputed",
        "link": [
            {"elements": ["link"], "attribute": "href", "source": "Atom 0.3, 3.4"},
            {"elements": ["generator"], "attribute": "url", "source": "Atom 0.3, 4.9"},
            {"elements": ["url"], "content": True, "source": "Atom 0.3, 3.2.2"},
            {
                "elements": ["uri", "homepage"],
                "content": True,
                "source": "Atom 0.3, 3.2.2, as drafts before and feeds after it spell url",
            },
            {"elements": ["id"], "content": True, "kind": "identity", "source": "Atom 0.3, 4.13.5"},
            {
                "elements": ["title", "tagline", "info", "copyright", "summary", "content"],
                "content": True,
                "kind": "document",
                "when": {"type": "text/html"},
                "source": "Atom 0.3, 3.1, as feeds have it: HTML in text, escaped",
            },
        ],
    },
    "xbel": {
        "roots": ["xbel"],
        "publics": ["+//IDN python.org//DTD XML Bookmark Exchange Language"],
        "link": [
            {"elements": ["bookmark"], "attribute": "href", "source": "XBEL 1.0, bookmark"},
            {
                "elements": ["metadata"],
                "attribute": "owner",
                "kind": "identity",
                "source": "XBEL 1.0, metadata",
            },
        ],
    },
    "devhelp": {
        "namespace": "http://www.devhelp.net/book",
        "roots": ["book"],
        "publics": ["-//GNOME//DTD DevHelp"],
        "link": [
            {
                "elements": ["book", "sub", "chapter", "keyword", "function"],
                "attribute": "link",
                "fixed": "devhelp reads it as the path of a file",
                "source": "Devhelp book format, versions 1 and 2",
            },
            {
                "elements": ["book"],
                "attribute": "online",
                "source": "Devhelp book format, version 2",
            },
        ],
    },
    "xsa": {
        "roots": ["xsa"],
        "link": [
            {
                "elements": ["url", "info-url", "download-url"],
                "content": True,
                "source": "XML Software Autoupdate 1.0",
            }
        ],
    },
    "chapters": {
        "namespace": "http://podlove.org/simple-chapters",
        "link": [
            {
                "elements": ["chapter"],
                "attributes": ["href", "image"],
                "source": "Podlove Simple Chapters 1.2",
            }
        ],
    },
    "browserconfig": {
        "roots": ["browserconfig"],
        "link": [
            {
                "elements": ["*"],
                "attribute": "src",
                "source": "Microsoft, Browser configuration schema reference",
            }
        ],
    },
    "freeplane": {
        "roots": ["map"],
        "link": [
            {
                "elements": ["node"],
                "attribute": "LINK",
                "source": "Freeplane 1.7, mind maps; FreeMind",
            },
            {"elements": ["hook"], "attribute": "URI", "source": "Freeplane 1.7, external objects"},
        ],
    },
    "freshmeat": {
        "namespace": "http://freshmeat.net/projects/freshmeat-submit/",
        "link": [
            {
                "elements": [
                    "Home-Page-URL",
                    "Gzipped-Tar-URL",
                    "Bzipped-Tar-URL",
                    "Zipped-Tar-URL",
                    "Changelog-URL",
                    "CVS-URL",
                    "Mailing-List-URL",
                    "Debian-Package-URL",
                    "RPM-URL",
                    "Demo-Site-URL",
                    "Purchase-URL",
                    "Mirror-Site-URL",
                ],
                "content": True,
                "source": "freshmeat-submit 1.6",
            }
        ],
    },
    "pear": {
        "namespace": ["http://pear.php.net/dtd/package-2.0", "http://pear.php.net/dtd/package-2.1"],
        "link": [
            {
                "elements": ["license"],
                "attribute": "uri",
                "source": "PEAR package.xml 2.0, license",
            },
            {
                "elements": ["uri"],
                "content": True,
                "kind": "identity",
                "source": "PEAR package.xml 2.0, uri",
            },
        ],
    },
    "wlw": {
        "namespace": "http://schemas.microsoft.com/wlw/manifest/weblog",
        "link": [
            {
                "elements": ["imageUrl", "watermarkImageUrl"],
                "content": True,
                "source": "Microsoft, The Writer Editing Manifest File",
            },
            {
                "elements": [
                    "adminUrl",
                    "postEditingUrl",
                    "clickUrl",
                    "contentUrl",
                    "notificationUrl",
                ],
                "content": True,
                "kind": "template",
                "source": "Microsoft, The Writer Editing Manifest File",
            },
            {
                "elements": ["view"],
                "attribute": "src",
                "kind": "template",
                "source": "Microsoft, The Writer Editing Manifest File",
            },
        ],
    },
    "catalog": {
        "namespace": "urn:oasis:names:tc:entity:xmlns:xml:catalog",
        "link": [
            {
                "elements": ["public", "system", "uri", "systemSuffix", "uriSuffix"],
                "attribute": "uri",
                "source": "XML Catalogs 1.1, 6.5",
            },
            {
                "elements": ["rewriteSystem", "rewriteURI"],
                "attribute": "rewritePrefix",
                "source": "XML Catalogs 1.1, 6.5.5",
            },
            {
                "elements": ["delegatePublic", "delegateSystem", "delegateURI", "nextCatalog"],
                "attribute": "catalog",
                "source": "XML Catalogs 1.1, 6.5.10",
            },
            {
                "elements": ["system"],
                "attribute": "systemId",
                "kind": "identity",
                "source": "XML Catalogs 1.1, 6.5.4",
            },
            {
                "elements": ["uri"],
                "attribute": "name",
                "kind": "identity",
                "source": "XML Catalogs 1.1, 6.5.8",
            },
            {
                "elements": ["rewriteSystem", "delegateSystem"],
                "attribute": "systemIdStartString",
                "kind": "identity",
                "source": "XML Catalogs 1.1, 6.5.5",
            },
            {
                "elements": ["rewriteURI", "delegateURI"],
                "attribute": "uriStartString",
                "kind": "identity",
                "source": "XML Catalogs 1.1, 6.5.9",
            },
        ],
    },
    "collada": {
        "namespace": [
            "http://www.collada.org/2005/11/COLLADASchema",
            "http://www.collada.org/2008/03/COLLADASchema",
        ],
        "link": [
            {
                "elements": ["init_from", "authoring_tool_url", "source_data", "ref"],
                "content": True,
                "source": "COLLADA 1.4, init_from, source_data",
            },
            {
                "elements": ["*"],
                "attributes": ["url", "source", "target"],
                "source": "COLLADA 1.4, url, source, target",
            },
        ],
    },
    "csl": {
        "namespace": "http://purl.org/net/xbiblio/csl",
        "link": [
            {"elements": ["link"], "attribute": "href", "source": "CSL 1.0.2, Info"},
            {"elements": ["rights"], "attribute": "license", "source": "CSL 1.0.2, Info"},
            {"elements": ["id"], "content": True, "kind": "identity", "source": "CSL 1.0.2, Info"},
            {"elements": ["uri"], "content": True, "source": "CSL 1.0.2, Info, author"},
        ],
    },
    "dash": {
        "namespace": "urn:mpeg:dash:schema:mpd:2011",
        "link": [
            {
                "elements": ["BaseURL", "Location", "PatchLocation"],
                "content": True,
                "source": "ISO/IEC 23009-1, 5.6, 5.15",
            },
            {
                "elements": ["SegmentTemplate"],
                "attributes": ["media", "initialization", "index", "bitstreamSwitching"],
                "kind": "template",
                "source": "ISO/IEC 23009-1, 5.3.9.4",
            },
            {
                "elements": ["SegmentURL"],
                "attributes": ["media", "index"],
                "source": "ISO/IEC 23009-1, 5.3.9.3",
            },
            {
                "elements": ["Initialization", "RepresentationIndex", "BitstreamSwitching"],
                "attribute": "sourceURL",
                "source": "ISO/IEC 23009-1, 5.3.9.2",
            },
            {
                "elements": ["ProgramInformation"],
                "attribute": "moreInformationURL",
                "source": "ISO/IEC 23009-1, 5.3.4",
            },
            {
                "elements": ["*"],
                "attribute": "schemeIdUri",
                "kind": "identity",
                "source": "ISO/IEC 23009-1, 5.8.2",
            },
        ],
    },
    "datacite": {
        "source": "DataCite 4.4, metadata.xsd, http://schema.datacite.org/meta/kernel-4.4/metadata.xsd",
        "namespace": ["http://datacite.org/schema/kernel-4"],
        "link": [
            {"elements": ["*"], "attributes": ["schemeURI"], "kind": "identity"},
            {
                "elements": ["subject"],
                "attributes": ["classificationCode", "valueURI"],
                "kind": "identity",
            },
            {"elements": ["awardNumber"], "attributes": ["awardURI"]},
            {"elements": ["rights"], "attributes": ["rightsURI"]},
        ],
    },
    "dita": {
        "roots": [
            "dita",
            "topic",
            "concept",
            "task",
            "reference",
            "glossentry",
            "glossgroup",
            "troubleshooting",
            "map",
            "bookmap",
            "subjectScheme",
            "learningContent",
            "learningOverview",
            "learningSummary",
            "learningAssessment",
            "learningPlan",
        ],
        "publics": ["-//OASIS//DTD DITA"],
        "link": [
            {
                "elements": ["*"],
                "attributes": ["href", "conref", "conrefend", "copy-to", "longdescref"],
                "source": "DITA 1.3, 3.10.13.3, 3.10.9, 3.10.8",
            },
            {
                "elements": ["object"],
                "attributes": ["data", "codebase", "classid", "archive"],
                "source": "DITA 1.3, object",
            },
            {"elements": ["object"], "attribute": "usemap", "source": "DITA 1.3, object"},
            {"elements": ["*"], "attribute": "anchorref", "source": "DITA 1.3, map, topicref"},
            {"elements": ["navref"], "attribute": "mapref", "source": "DITA 1.3, navref"},
        ],
    },
    "docbook5_ids": {
        "namespace": "http://docbook.org/ns/docbook",
        "link": [
            {
                "elements": ["link"],
                "attribute": "linkend",
                "kind": "hash-name",
                "source": "DocBook 5.0, link",
            }
        ],
    },
    "docbookl10n": {
        "namespace": "http://docbook.sourceforge.net/xmlns/l10n/1.0",
        "link": [
            {
                "elements": ["l10n"],
                "attribute": "href",
                "source": "DocBook XSL Stylesheets 1.79, localizations",
            }
        ],
    },
    "docbook4": {
        "source": "DocBook 4.5, docbook.rng, https://docbook.org/rng/4.5/docbook.rng",
        "publics": [
            "-//OASIS//DTD DocBook",
            "-//OASIS//DTD Simplified DocBook",
            "-//OASIS//DTD JRefEntry DocBook",
            "-//KDE//DTD DocBook",
            "-//GNOME//DTD DocBook",
            "-//Norman Walsh//DTD Website",
            "-//Norman Walsh//DTD Slides",
            "-//Norman Walsh//DTD Simplified DocBook",
        ],
        "roots": [
            "abbrev",
            "abstract",
            "accel",
            "ackno",
            "acronym",
            "action",
            "address",
            "affiliation",
            "alt",
            "anchor",
            "answer",
            "appendix",
            "appendixinfo",
            "application",
            "area",
            "areaset",
            "areaspec",
            "arg",
            "article",
            "articleinfo",
            "artpagenums",
            "attribution",
            "audiodata",
            "audioobject",
            "author",
            "authorblurb",
            "authorgroup",
            "authorinitials",
            "beginpage",
            "bibliocoverage",
            "bibliodiv",
            "biblioentry",
            "bibliography",
            "bibliographyinfo",
            "biblioid",
            "bibliolist",
            "bibliomisc",
            "bibliomixed",
            "bibliomset",
            "biblioref",
            "bibliorelation",
            "biblioset",
            "bibliosource",
            "blockinfo",
            "blockquote",
            "book",
            "bookinfo",
            "bridgehead",
            "callout",
            "calloutlist",
            "caption",
            "caution",
            "chapter",
            "chapterinfo",
            "citation",
            "citebiblioid",
            "citerefentry",
            "citetitle",
            "city",
            "classname",
            "classsynopsis",
            "classsynopsisinfo",
            "cmdsynopsis",
            "co",
            "code",
            "col",
            "colgroup",
            "collab",
            "collabname",
            "colophon",
            "colspec",
            "command",
            "computeroutput",
            "confdates",
            "confgroup",
            "confnum",
            "confsponsor",
            "conftitle",
            "constant",
            "constructorsynopsis",
            "contractnum",
            "contractsponsor",
            "contrib",
            "copyright",
            "coref",
            "corpauthor",
            "corpcredit",
            "corpname",
            "country",
            "database",
            "date",
            "dedication",
            "destructorsynopsis",
            "edition",
            "editor",
            "email",
            "emphasis",
            "entry",
            "entrytbl",
            "envar",
            "epigraph",
            "equation",
            "errorcode",
            "errorname",
            "errortext",
            "errortype",
            "example",
            "exceptionname",
            "fax",
            "fieldsynopsis",
            "figure",
            "filename",
            "firstname",
            "firstterm",
            "footnote",
            "footnoteref",
            "foreignphrase",
            "formalpara",
            "funcdef",
            "funcparams",
            "funcprototype",
            "funcsynopsis",
            "funcsynopsisinfo",
            "function",
            "glossary",
            "glossaryinfo",
            "glossdef",
            "glossdiv",
            "glossentry",
            "glosslist",
            "glosssee",
            "glossseealso",
            "glossterm",
            "graphic",
            "graphicco",
            "group",
            "guibutton",
            "guiicon",
            "guilabel",
            "guimenu",
            "guimenuitem",
            "guisubmenu",
            "hardware",
            "highlights",
            "holder",
            "honorific",
            "imagedata",
            "imageobject",
            "imageobjectco",
            "important",
            "index",
            "indexdiv",
            "indexentry",
            "indexinfo",
            "indexterm",
            "informalequation",
            "informalexample",
            "informalfigure",
            "informaltable",
            "initializer",
            "inlineequation",
            "inlinegraphic",
            "inlinemediaobject",
            "interface",
            "interfacename",
            "invpartnumber",
            "isbn",
            "issn",
            "issuenum",
            "itemizedlist",
            "itermset",
            "jobtitle",
            "keycap",
            "keycode",
            "keycombo",
            "keysym",
            "keyword",
            "keywordset",
            "label",
            "legalnotice",
            "lineage",
            "lineannotation",
            "link",
            "listitem",
            "literal",
            "literallayout",
            "lot",
            "lotentry",
            "manvolnum",
            "markup",
            "mathphrase",
            "medialabel",
            "mediaobject",
            "mediaobjectco",
            "member",
            "menuchoice",
            "methodname",
            "methodparam",
            "methodsynopsis",
            "modespec",
            "modifier",
            "mousebutton",
            "msg",
            "msgaud",
            "msgentry",
            "msgexplan",
            "msginfo",
            "msglevel",
            "msgmain",
            "msgorig",
            "msgrel",
            "msgset",
            "msgsub",
            "msgtext",
            "note",
            "objectinfo",
            "olink",
            "ooclass",
            "ooexception",
            "oointerface",
            "option",
            "optional",
            "orderedlist",
            "orgdiv",
            "orgname",
            "otheraddr",
            "othercredit",
            "othername",
            "package",
            "pagenums",
            "para",
            "paramdef",
            "parameter",
            "part",
            "partinfo",
            "partintro",
            "personblurb",
            "personname",
            "phone",
            "phrase",
            "pob",
            "postcode",
            "preface",
            "prefaceinfo",
            "primary",
            "primaryie",
            "printhistory",
            "procedure",
            "productname",
            "productnumber",
            "programlisting",
            "programlistingco",
            "prompt",
            "property",
            "pubdate",
            "publisher",
            "publishername",
            "pubsnumber",
            "qandadiv",
            "qandaentry",
            "qandaset",
            "question",
            "quote",
            "refclass",
            "refdescriptor",
            "refentry",
            "refentryinfo",
            "refentrytitle",
            "reference",
            "referenceinfo",
            "refmeta",
            "refmiscinfo",
            "refname",
            "refnamediv",
            "refpurpose",
            "refsect1",
            "refsect1info",
            "refsect2",
            "refsect2info",
            "refsect3",
            "refsect3info",
            "refsection",
            "refsectioninfo",
            "refsynopsisdiv",
            "refsynopsisdivinfo",
            "releaseinfo",
            "remark",
            "replaceable",
            "returnvalue",
            "revdescription",
            "revhistory",
            "revision",
            "revnumber",
            "revremark",
            "row",
            "sbr",
            "screen",
            "screenco",
            "screeninfo",
            "screenshot",
            "secondary",
            "secondaryie",
            "sect1",
            "sect1info",
            "sect2",
            "sect2info",
            "sect3",
            "sect3info",
            "sect4",
            "sect4info",
            "sect5",
            "sect5info",
            "section",
            "sectioninfo",
            "see",
            "seealso",
            "seealsoie",
            "seeie",
            "seg",
            "seglistitem",
            "segmentedlist",
            "segtitle",
            "seriesvolnums",
            "set",
            "setindex",
            "setindexinfo",
            "setinfo",
            "sgmltag",
            "shortaffil",
            "shortcut",
            "sidebar",
            "sidebarinfo",
            "simpara",
            "simplelist",
            "simplemsgentry",
            "simplesect",
            "slides",
            "spanspec",
            "state",
            "step",
            "stepalternatives",
            "street",
            "structfield",
            "structname",
            "subject",
            "subjectset",
            "subjectterm",
            "subscript",
            "substeps",
            "subtitle",
            "superscript",
            "surname",
            "symbol",
            "synopfragment",
            "synopfragmentref",
            "synopsis",
            "systemitem",
            "table",
            "task",
            "taskprerequisites",
            "taskrelated",
            "tasksummary",
            "tbody",
            "td",
            "term",
            "termdef",
            "tertiary",
            "tertiaryie",
            "textdata",
            "textobject",
            "tfoot",
            "tgroup",
            "th",
            "thead",
            "tip",
            "title",
            "titleabbrev",
            "toc",
            "tocback",
            "tocchap",
            "tocentry",
            "tocfront",
            "toclevel1",
            "toclevel2",
            "toclevel3",
            "toclevel4",
            "toclevel5",
            "tocpart",
            "token",
            "tr",
            "trademark",
            "type",
            "ulink",
            "uri",
            "userinput",
            "varargs",
            "variablelist",
            "varlistentry",
            "varname",
            "videodata",
            "videoobject",
            "void",
            "volumenum",
            "warning",
            "webpage",
            "wordasword",
            "xref",
            "year",
        ],
        "link": [
            {"elements": ["*"], "attributes": ["fileref"], "source": "DocBook 4.5, fileref"},
            {"elements": ["ulink"], "attributes": ["url"], "source": "DocBook 4.5, ulink"},
        ],
    },
    "docbook5": {
        "source": "DocBook 5.1, docbook.rng, https://docbook.org/xml/5.1/rng/docbook.rng",
        "namespace": ["http://docbook.org/ns/docbook"],
        "link": [
            {"elements": ["*"], "attributes": ["vocab"], "kind": "identity"},
            {"elements": ["olink"], "attributes": ["targetdoc"], "kind": "identity"},
            {"elements": ["tag"], "attributes": ["namespace"], "kind": "identity"},
            {"elements": ["*"], "attributes": ["fileref"]},
            {"elements": ["nonterminal"], "attributes": ["def"]},
        ],
    },
    "eac": {
        "source": "EAC-CPF 2010, cpf.xsd, https://eac.staatsbibliothek-berlin.de/schema/cpf.xsd",
        "namespace": ["urn:isbn:1-931666-33-4"],
        "link": [
            {"elements": ["*"], "attributes": ["localType", "vocabularySource"], "kind": "identity"}
        ],
    },
    "ead": {
        "namespace": "urn:isbn:1-931666-22-9",
        "link": [
            {"elements": ["*"], "attribute": "href", "source": "EAD 2002, linking attributes"}
        ],
    },
    "ead3": {
        "namespace": "http://ead3.archivists.org/schema/",
        "link": [{"elements": ["*"], "attribute": "href", "source": "EAD3 1.1, href"}],
    },
    "ead3_schema": {
        "source": "EAD3 1.1.1, ead3.xsd, https://www.loc.gov/ead/ead3.xsd",
        "namespace": ["http://ead3.archivists.org/schema/"],
        "link": [
            {"elements": ["*"], "attributes": ["arcrole", "linkrole"], "kind": "identity"},
            {"elements": ["*"], "attributes": ["base"]},
            {"elements": ["recordid"], "attributes": ["instanceurl"]},
        ],
    },
    "opf": {
        "namespace": [
            "http://www.idpf.org/2007/opf",
            "http://openebook.org/namespaces/oeb-package/1.0/",
        ],
        "link": [
            {
                "elements": ["item", "reference", "link", "site"],
                "attribute": "href",
                "source": "EPUB Packages 3.3, 5.6.2; OPF 2.0.1, 2.3, 2.6",
            }
        ],
    },
    "ncx": {
        "namespace": "http://www.daisy.org/z3986/2005/ncx/",
        "link": [
            {
                "elements": ["content", "text", "audio", "img"],
                "attribute": "src",
                "source": "ANSI/NISO Z39.86-2005, 8.4",
            }
        ],
    },
    "container": {
        "namespace": "urn:oasis:names:tc:opendocument:xmlns:container",
        "link": [
            {
                "elements": ["rootfile"],
                "attribute": "full-path",
                "kind": "identity",
                "source": "EPUB Open Container Format, 4.2.6.3; a path in the archive",
            },
            {
                "elements": ["link"],
                "attribute": "href",
                "source": "EPUB Open Container Format, 4.2.6.3",
            },
        ],
    },
    "gml": {
        "namespace": ["http://www.opengis.net/gml", "http://www.opengis.net/gml/3.2"],
        "link": [
            {
                "elements": ["*"],
                "attribute": "srsName",
                "kind": "identity",
                "source": "GML 3.2.1, 9.10",
            },
            {
                "elements": ["*"],
                "attributes": ["codeSpace", "uom"],
                "kind": "identity",
                "source": "GML 3.2.1, 7.2.3, 8.2.3",
            },
            {"elements": ["schemaLocation"], "content": True, "source": "GML 3.2.1, metadata"},
        ],
    },
    "gpx11": {
        "namespace": "http://www.topografix.com/GPX/1/1",
        "link": [
            {"elements": ["link"], "attribute": "href", "source": "GPX 1.1, linkType"},
            {"elements": ["license"], "content": True, "source": "GPX 1.1, copyrightType"},
        ],
    },
    "gpx10": {
        "namespace": "http://www.topografix.com/GPX/1/0",
        "link": [{"elements": ["url"], "content": True, "source": "GPX 1.0, url"}],
    },
    "indesign": {
        "roots": ["Document"],
        "source": "IDML File Format Specification 8.0, HyperlinkURLDestination",
        "link": [
            {
                "elements": ["HyperlinkURLDestination"],
                "attribute": "DestinationURL",
                "kind": "external",
            }
        ],
    },
    "iso19139": {
        "source": "ISO/TS 19139:2007, gmd.xsd and gml.xsd, "
        "http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd, "
        "http://schemas.opengis.net/gml/3.2.1/gml.xsd",
        "namespace": ["http://www.isotc211.org/2005/gmd"],
        "link": [
            {"elements": ["*"], "attributes": ["codeSpace"], "kind": "identity"},
            {"elements": ["*"], "attributes": ["codeList"]},
            {"elements": ["LocalisedCharacterString"], "attributes": ["locale"]},
            {"elements": ["URL"], "content": True},
        ],
    },
    "iso19139_1": {
        "source": "ISO/TS 19139:2007, gmd.xsd and gml.xsd, "
        "http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd, "
        "http://schemas.opengis.net/gml/3.2.1/gml.xsd",
        "namespace": ["http://www.isotc211.org/2005/gco"],
        "link": [
            {"elements": ["*"], "attributes": ["codeSpace"], "kind": "identity"},
            {
                "elements": ["Record"],
                "attributes": ["{http://www.opengis.net/gml/3.2}uom"],
                "kind": "identity",
            },
            {"elements": ["Binary"], "attributes": ["src"]},
            {
                "elements": ["Record"],
                "attributes": ["{http://www.opengis.net/gml/3.2}remoteSchema"],
            },
        ],
    },
    "iso19139_3": {
        "source": "ISO/TS 19139:2007, gmd.xsd and gml.xsd, "
        "http://schemas.opengis.net/iso/19139/20070417/gmd/gmd.xsd, "
        "http://schemas.opengis.net/gml/3.2.1/gml.xsd",
        "namespace": ["http://www.opengis.net/gml/3.2"],
        "link": [
            {
                "elements": ["*"],
                "attributes": ["{http://www.opengis.net/gml/3.2}uom", "frame"],
                "kind": "identity",
            },
            {
                "elements": ["compression", "defaultCodeSpace", "mimeType"],
                "content": True,
                "kind": "identity",
            },
            {"elements": ["*"], "attributes": ["{http://www.opengis.net/gml/3.2}remoteSchema"]},
            {
                "elements": ["fileName", "fileReference", "gmlProfileSchema", "valueFile"],
                "content": True,
            },
            {"elements": ["metaDataProperty"], "attributes": ["about"]},
        ],
    },
    "itunes": {
        "namespace": [
            "http://www.itunes.com/dtds/podcast-1.0.dtd",
            "http://www.itunes.com/DTDs/Podcast-1.0.dtd",
            "http://www.itunes.com/DTDs/PodCast-1.0.dtd",
        ],
        "query": "disputed",
        "link": [
            {
                "elements": ["image"],
                "attributes": ["href", "url"],
                "source": "Podcasts Connect, itunes:image; feed readers accept url as well",
            },
            {
                "elements": ["link"],
                "attribute": "href",
                "source": "iTunes podcast tags (2005), itunes:link",
            },
            {
                "elements": ["new-feed-url"],
                "content": True,
                "source": "Podcasts Connect, itunes:new-feed-url",
            },
        ],
    },
    "podcast": {
        "namespace": [
            "https://podcastindex.org/namespace/1.0",
            "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
        ],
        "query": "disputed",
        "link": [
            {
                "elements": ["transcript", "chapters", "funding", "license", "trailer"],
                "attribute": "url",
                "source": "Podcasting 2.0, transcript, chapters, funding, license, trailer",
            },
            {
                "elements": ["person", "image", "contentLink"],
                "attribute": "href",
                "source": "Podcasting 2.0, person, image, content-link",
            },
            {"elements": ["person"], "attribute": "img", "source": "Podcasting 2.0, person"},
            {
                "elements": ["images"],
                "attribute": "srcset",
                "kind": "srcset",
                "source": "Podcasting 2.0, images (deprecated)",
            },
            {"elements": ["source"], "attribute": "uri", "source": "Podcasting 2.0, source"},
            {
                "elements": ["socialInteract"],
                "attributes": ["uri", "accountUrl"],
                "source": "Podcasting 2.0, social-interact",
            },
            {
                "elements": ["remoteItem"],
                "attribute": "feedUrl",
                "source": "Podcasting 2.0, remote-item",
            },
            {
                "elements": ["chat"],
                "attribute": "embedUrl",
                "source": "Podcasting 2.0, chat, in its drafts",
            },
        ],
    },
    "googleplay": {
        "namespace": "http://www.google.com/schemas/play-podcasts/1.0",
        "query": "disputed",
        "link": [{"elements": ["image"], "attribute": "href", "source": "Google Play podcasts"}],
    },
    "jats": {
        "roots": ["article", "book", "book-part-wrapper", "sub-article", "response"],
        "link": [
            {"elements": ["uri"], "content": True, "source": "JATS 1.3, uri"},
            {
                "elements": ["institution-id", "object-id", "pub-id"],
                "content": True,
                "kind": "identity",
                "source": "JATS 1.3, institution-id",
            },
        ],
    },
    "kml": {
        "namespace": [
            "http://www.opengis.net/kml/2.2",
            "http://www.opengis.net/kml/2.3",
            "http://earth.google.com/kml/2.0",
            "http://earth.google.com/kml/2.1",
            "http://earth.google.com/kml/2.2",
        ],
        "link": [
            {
                "elements": ["href", "styleUrl", "targetHref"],
                "content": True,
                "source": "OGC 12-007r2, href, styleUrl, targetHref",
            },
            {
                "elements": ["description", "text"],
                "content": True,
                "kind": "document",
                "query": "disputed",
                "source": "OGC 12-007r2, 9.1.3.10",
            },
            {
                "elements": ["SchemaData"],
                "attribute": "schemaUrl",
                "source": "OGC 12-007r2, SchemaData",
            },
            {"elements": ["Icon"], "content": True, "source": "KML 2.0, Icon as text"},
        ],
    },
    "kml22": {
        "source": "KML 2.2, ogckml22.xsd, http://schemas.opengis.net/kml/2.2.0/ogckml22.xsd",
        "namespace": [
            "http://www.opengis.net/kml/2.2",
            "http://www.opengis.net/kml/2.3",
            "http://earth.google.com/kml/2.0",
            "http://earth.google.com/kml/2.1",
            "http://earth.google.com/kml/2.2",
        ],
        "link": [{"elements": ["sourceHref"], "content": True}],
    },
    "mallard": {
        "namespace": "http://projectmallard.org/1.0/",
        "link": [
            {
                "elements": ["*"],
                "attribute": "href",
                "source": "Mallard 1.1, Ubiquitous Linking, Informational Links, cite, license",
            },
            {"elements": ["media"], "attribute": "src", "source": "Mallard 1.1, media"},
            {"elements": ["thumb"], "attribute": "src", "source": "Mallard MEP-0004, thumb"},
        ],
    },
    "mallard_ui": {
        "namespace": [
            "http://projectmallard.org/ui/1.0/",
            "http://projectmallard.org/experimental/",
            "http://projectmallard.org/experimental/ui/",
        ],
        "link": [{"elements": ["thumb"], "attribute": "src", "source": "Mallard UI 1.0, MEP-0004"}],
    },
    "mallard_cache": {
        "namespace": "*",
        "link": [
            {
                "elements": ["*"],
                "attribute": "{http://projectmallard.org/cache/1.0/}href",
                "source": "Mallard Cache Files 1.0",
            }
        ],
    },
    "pom": {
        "namespace": "http://maven.apache.org/POM/4.0.0",
        "roots": ["project"],
        "link": [
            {
                "elements": ["url", "organizationUrl", "downloadUrl", "archive", "otherArchive"],
                "content": True,
                "source": "Maven 4.0.0, POM reference and maven-4.0.0.xsd",
            }
        ],
    },
    "mavensettings": {
        "namespace": [
            "http://maven.apache.org/SETTINGS/1.0.0",
            "http://maven.apache.org/SETTINGS/1.1.0",
            "http://maven.apache.org/SETTINGS/1.2.0",
        ],
        "link": [
            {
                "elements": ["url"],
                "content": True,
                "source": "Maven 1.2.0, settings reference and settings-1.2.0.xsd",
            }
        ],
    },
    "media": {
        "namespace": ["http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss"],
        "query": "disputed",
        "link": [
            {
                "elements": ["content", "thumbnail", "player", "peerLink", "subTitle"],
                "attribute": "url",
                "source": "Media RSS 1.5",
            },
            {
                "elements": ["backLink", "responses"],
                "content": True,
                "source": "Media RSS 1.5, media:backLinks",
            },
            {
                "elements": ["license"],
                "attribute": "href",
                "source": "Media RSS 1.5, media:license",
            },
            {
                "elements": ["text", "description", "title"],
                "content": True,
                "kind": "document",
                "when": {"type": "html"},
                "source": "Media RSS 1.5, media:text",
            },
            {
                "elements": ["category"],
                "attribute": "scheme",
                "kind": "identity",
                "source": "Media RSS 1.5, media:category",
            },
        ],
    },
    "mods": {
        "namespace": "http://www.loc.gov/mods/v3",
        "link": [
            {
                "elements": ["*"],
                "attributes": ["authorityURI", "valueURI"],
                "kind": "identity",
                "source": "MODS 3.8, authorityURI, valueURI",
            },
            {"elements": ["url"], "content": True, "source": "MODS 3.8, location/url"},
            {
                "elements": ["identifier"],
                "content": True,
                "kind": "identity",
                "source": "MODS 3.8, identifier",
            },
        ],
    },
    "mods38": {
        "source": "MODS 3.8, mods-3-8.xsd, http://www.loc.gov/standards/mods/v3/mods-3-8.xsd",
        "namespace": ["http://www.loc.gov/mods/v3"],
        "link": [
            {"elements": ["*"], "attributes": ["typeURI"], "kind": "identity"},
            {"elements": ["originInfo"], "attributes": ["eventTypeURI"], "kind": "identity"},
            {"elements": ["placeIdentifier"], "content": True, "kind": "identity"},
            {
                "elements": ["titleInfo"],
                "attributes": ["otherTypeAuthURI", "otherTypeURI"],
                "kind": "identity",
            },
            {"elements": ["*"], "attributes": ["altFormat"]},
        ],
    },
    "musicxml": {
        "roots": ["score-partwise", "score-timewise"],
        "publics": ["-//Recordare//DTD MusicXML"],
        "link": [
            {
                "elements": ["image", "credit-image"],
                "attribute": "source",
                "source": "MusicXML 3.0, musicxml.xsd, image-attributes",
            }
        ],
    },
    "nvdl": {
        "namespace": "http://purl.oclc.org/dsdl/nvdl/ns/structure/1.0",
        "link": [
            {
                "elements": ["validate"],
                "attribute": "schema",
                "source": "ISO/IEC 19757-4:2006, 6.4.11",
            },
            {
                "elements": ["namespace"],
                "attribute": "ns",
                "kind": "identity",
                "source": "ISO/IEC 19757-4:2006, 6.4.3",
            },
        ],
    },
    "locatingrules": {
        "namespace": "http://thaiopensource.com/ns/locating-rules/1.0",
        "link": [
            {
                "elements": ["*"],
                "attributes": ["uri", "rules"],
                "source": "nXML, schema locating rules",
            },
            {
                "elements": ["*"],
                "attributes": ["ns", "resource"],
                "kind": "identity",
                "source": "nXML, schema locating rules",
            },
        ],
    },
    "odf": {
        "namespace": "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0",
        "link": [
            {
                "elements": ["file-entry"],
                "attribute": "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}full-path",
                "kind": "identity",
                "source": "ODF 1.3 Part 2, 4.8.4; a path in the archive",
            }
        ],
    },
    "draw": {
        "namespace": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
        "link": [
            {
                "elements": ["image", "object", "object-ole", "plugin", "fill-image"],
                "attribute": "{http://www.w3.org/1999/xlink}href",
                "kind": "member",
                "source": "ODF 1.3 Part 3, 19.910",
            }
        ],
    },
    "chart": {
        "namespace": "urn:oasis:names:tc:opendocument:xmlns:chart:1.0",
        "link": [
            {
                "elements": ["chart"],
                "attribute": "{http://www.w3.org/1999/xlink}href",
                "kind": "member",
                "source": "ODF 1.3 Part 3, 19.910",
            }
        ],
    },
    "script": {
        "namespace": "urn:oasis:names:tc:opendocument:xmlns:script:1.0",
        "link": [
            {
                "elements": ["*"],
                "attribute": "{urn:oasis:names:tc:opendocument:xmlns:script:1.0}event-name",
                "kind": "identity",
                "source": "ODF 1.3 Part 3, 19.427",
            }
        ],
    },
    "openoffice1": {
        "namespace": "http://openoffice.org/2001/manifest",
        "link": [
            {
                "elements": ["file-entry"],
                "attribute": "{http://openoffice.org/2001/manifest}full-path",
                "kind": "identity",
                "source": "OpenOffice.org 1.0, manifest; a path in the archive",
            }
        ],
    },
    "onix3": {
        "namespace": [
            "http://ns.editeur.org/onix/3.0/reference",
            "http://ns.editeur.org/onix/3.1/reference",
            "http://www.editeur.org/onix/2.1/reference",
        ],
        "link": [
            {
                "elements": ["WebsiteLink", "ResourceLink", "MediaFileLink"],
                "content": True,
                "source": "ONIX 3.0, P.15, P.16",
            },
            {"elements": ["SourceTypeLink"], "content": True, "source": "ONIX 2.1, PR.15"},
        ],
    },
    "onixshort": {
        "namespace": [
            "http://ns.editeur.org/onix/3.0/short",
            "http://ns.editeur.org/onix/3.1/short",
            "http://www.editeur.org/onix/2.1/short",
        ],
        "link": [
            {
                "elements": ["b295", "x435", "f117"],
                "content": True,
                "source": "ONIX 3.0, short tags of WebsiteLink, ResourceLink, MediaFileLink",
            }
        ],
    },
    "onixplain": {
        "roots": ["ONIXMessage", "ONIXmessage"],
        "link": [
            {
                "elements": [
                    "WebsiteLink",
                    "ResourceLink",
                    "MediaFileLink",
                    "b295",
                    "x435",
                    "f117",
                ],
                "content": True,
                "source": "ONIX 2.1, without a name space",
            }
        ],
    },
    "relationships": {
        "namespace": "http://schemas.openxmlformats.org/package/2006/relationships",
        "link": [
            {
                "elements": ["Relationship"],
                "attribute": "Target",
                "kind": "external",
                "when": {"TargetMode": "external"},
                "source": "ISO/IEC 29500-2, 9.3.2.2",
            },
            {
                "elements": ["Relationship"],
                "attribute": "Target",
                "source": "ISO/IEC 29500-2, 9.3.2.2",
            },
            {
                "elements": ["Relationship"],
                "attribute": "Type",
                "kind": "identity",
                "source": "ISO/IEC 29500-2, 9.3.2.2",
            },
        ],
    },
    "wordprocessingml": {
        "namespace": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "link": [
            {
                "elements": ["instrText"],
                "content": True,
                "kind": "field",
                "source": "ISO/IEC 29500-1, 17.16.23",
            },
            {
                "elements": ["fldSimple"],
                "attribute": "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}instr",
                "kind": "field",
                "source": "ISO/IEC 29500-1, 17.16.19",
            },
        ],
    },
    "wordml2003": {
        "namespace": "http://schemas.microsoft.com/office/word/2003/wordml",
        "link": [
            {
                "elements": ["hlink"],
                "attribute": "{http://schemas.microsoft.com/office/word/2003/wordml}dest",
                "source": "Office 2003 XML Reference Schemas, hlink",
            }
        ],
    },
    "spreadsheetml2003": {
        "namespace": "urn:schemas-microsoft-com:office:spreadsheet",
        "link": [
            {
                "elements": ["Cell"],
                "attribute": "{urn:schemas-microsoft-com:office:spreadsheet}HRef",
                "source": "Office 2003 XML Reference Schemas, Cell",
            }
        ],
    },
    "vml": {
        "namespace": "urn:schemas-microsoft-com:vml",
        "link": [
            {"elements": ["*"], "attribute": "href", "source": "ECMA-376 Part 4, 19.1.2, href"},
            {
                "elements": ["imagedata", "image", "fill", "stroke"],
                "attribute": "src",
                "source": "ECMA-376 Part 4, 19.1.2, src",
            },
        ],
    },
    "gnumeric": {
        "namespace": "http://www.gnumeric.org/v10.dtd",
        "link": [
            {
                "elements": ["HyperLink"],
                "attribute": "target",
                "when": {"type": ["gnmhlinkurl", "gnmhlinkemail", "gnmhlinkexternal"]},
                "source": "Gnumeric 1.12, XML format, HyperLink",
            }
        ],
    },
    "filelist": {
        "namespace": "urn:schemas-microsoft-com:office:office",
        "link": [
            {
                "elements": ["File", "MainFile"],
                "attribute": "HRef",
                "source": "Microsoft Office HTML and XML Reference, o:File",
            }
        ],
    },
    "opensearch": {
        "namespace": "http://a9.com/-/spec/opensearch/1.1/",
        "link": [
            {
                "elements": ["Url"],
                "attribute": "template",
                "kind": "template",
                "source": 'OpenSearch 1.1, "The Url element"',
            },
            {
                "elements": ["Image"],
                "content": True,
                "source": 'OpenSearch 1.1, "The Image element"',
            },
        ],
    },
    "mozsearch": {
        "namespace": "http://www.mozilla.org/2006/browser/search/",
        "link": [
            {
                "elements": ["SearchForm", "Image"],
                "content": True,
                "source": "Mozilla, OpenSearch description format",
            },
            {
                "elements": ["Url"],
                "attribute": "template",
                "kind": "template",
                "source": "Mozilla, OpenSearch description format",
            },
        ],
    },
    "opml": {
        "roots": ["opml"],
        "query": "disputed",
        "link": [
            {
                "elements": ["outline"],
                "attributes": ["xmlUrl", "htmlUrl", "url"],
                "source": 'OPML 2.0, "What is an <outline>?"',
            },
            {
                "elements": ["docs", "ownerId"],
                "content": True,
                "source": 'OPML 2.0, "What is a <head>?"',
            },
        ],
    },
    "osinfo": {
        "roots": ["libosinfo"],
        "link": [
            {"elements": ["url"], "content": True, "source": "osinfo.rng, url"},
            {"elements": ["driver"], "attribute": "location", "source": "osinfo.rng, driver"},
            {
                "elements": [
                    "os",
                    "platform",
                    "device",
                    "deployment",
                    "datamap",
                    "install-script",
                    "script",
                    "upgrades",
                    "derives-from",
                    "clones",
                ],
                "attribute": "id",
                "kind": "identity",
                "source": "osinfo.rng, id",
            },
        ],
    },
    "premis": {
        "source": "PREMIS 2.3, premis-v2-3.xsd, http://www.loc.gov/standards/premis/v2/premis-v2-3.xsd",
        "namespace": ["info:lc/xmlns/premis-v2", "http://www.loc.gov/premis/v3"],
        "link": [
            {"elements": ["*"], "attributes": ["authorityURI", "valueURI"], "kind": "identity"}
        ],
    },
    "rdf": {
        "namespace": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "feed": True,
        "link": [
            {
                "elements": ["*"],
                "attributes": ["about", "resource"],
                "kind": "identity",
                "source": "RDF/XML (1999), 6, attributes without prefix",
            }
        ],
    },
    "owl": {
        "namespace": "http://www.w3.org/2002/07/owl#",
        "link": [
            {
                "elements": ["Ontology"],
                "attributes": ["ontologyIRI", "versionIRI"],
                "kind": "identity",
                "source": "OWL 2 XML Serialization, 2.1",
            },
            {
                "elements": ["Prefix"],
                "attribute": "IRI",
                "kind": "identity",
                "source": "OWL 2 XML Serialization, 2.2",
            },
            {
                "elements": ["*"],
                "attributes": ["IRI", "abbreviatedIRI"],
                "kind": "identity",
                "source": "OWL 2 XML Serialization, 2.3",
            },
            {"elements": ["Import"], "content": True, "source": "OWL 2 XML Serialization, 2.1"},
        ],
    },
    "foaf": {
        "namespace": "http://xmlns.com/foaf/0.1/",
        "link": [
            {
                "elements": ["*"],
                "attributes": ["homepage", "mbox"],
                "kind": "identity",
                "source": "FOAF 0.99, as attributes of RDF/XML",
            }
        ],
    },
    "grddl": {
        "namespace": "*",
        "link": [
            {
                "elements": ["*"],
                "attribute": "data-view:transformation",
                "kind": "list",
                "source": "GRDDL, 2: a list of IRI references",
            }
        ],
    },
    "relaxng": {
        "namespace": "http://relaxng.org/ns/structure/1.0",
        "link": [
            {
                "elements": ["include", "externalRef"],
                "attribute": "href",
                "source": "RELAX NG, 4.5 to 4.7",
            },
            {
                "elements": ["*"],
                "attributes": ["ns", "datatypeLibrary"],
                "kind": "identity",
                "source": "RELAX NG, 4.3, 4.8",
            },
        ],
    },
    "content": {
        "namespace": "http://purl.org/rss/1.0/modules/content/",
        "query": "disputed",
        "link": [
            {
                "elements": ["encoded"],
                "content": True,
                "kind": "document",
                "source": "RSS 1.0 module content, encoded",
            }
        ],
    },
    "wfw": {
        "namespace": "http://wellformedweb.org/CommentAPI/",
        "query": "disputed",
        "link": [
            {
                "elements": ["comment", "commentRss", "commentRSS"],
                "content": True,
                "source": "The Comment API, wfw:comment, wfw:commentRss; WordPress 1.x spells it commentRSS",
            }
        ],
    },
    "annotate": {
        "namespace": "http://purl.org/rss/1.0/modules/annotate/",
        "link": [
            {
                "elements": ["reference"],
                "attribute": "rdf:resource",
                "kind": "identity",
                "source": "RSS 1.0 module annotation",
            }
        ],
    },
    "trackback": {
        "namespace": "http://madskills.com/public/xml/rss/module/trackback/",
        "query": "disputed",
        "link": [
            {
                "elements": ["ping", "about"],
                "content": True,
                "source": "TrackBack module, ping, about",
            }
        ],
    },
    "pingback": {
        "namespace": "http://madskills.com/public/xml/rss/module/pingback/",
        "query": "disputed",
        "link": [{"elements": ["server", "target"], "content": True, "source": "Pingback module"}],
    },
    "image": {
        "namespace": "http://purl.org/rss/1.0/modules/image/",
        "query": "disputed",
        "link": [{"elements": ["link"], "content": True, "source": "RSS 1.0 module image"}],
    },
    "feedburner": {
        "namespace": "http://rssnamespace.org/feedburner/ext/1.0",
        "query": "disputed",
        "link": [
            {
                "elements": ["origLink", "origEnclosureLink"],
                "content": True,
                "source": "FeedBurner extensions",
            }
        ],
    },
    "creativecommons": {
        "namespace": "http://backend.userland.com/creativeCommonsRssModule",
        "query": "disputed",
        "link": [
            {"elements": ["license"], "content": True, "source": "creativeCommons RSS module"}
        ],
    },
    "dc": {
        "namespace": "http://purl.org/dc/elements/1.1/",
        "link": [
            {
                "elements": ["identifier"],
                "content": True,
                "kind": "identity",
                "source": "Dublin Core 1.1, identifier",
            }
        ],
    },
    "rss": {
        "roots": ["rss"],
        "feed": True,
        "query": "disputed",
        "link": [
            {"elements": ["link", "url", "docs", "comments"], "content": True, "source": "RSS 2.0"},
            {"elements": ["enclosure", "source"], "attribute": "url", "source": "RSS 2.0"},
            {
                "elements": ["description"],
                "content": True,
                "kind": "document",
                "source": 'RSS 2.0, "Elements of <item>": entity-encoded HTML',
            },
            {
                "elements": ["guid"],
                "content": True,
                "kind": "identity",
                "source": "RSS 2.0; a guid is compared as a string, permanent link or not",
            },
            {
                "elements": ["category"],
                "attribute": "domain",
                "kind": "identity",
                "source": "RSS 2.0",
            },
        ],
    },
    "rss2": {
        "namespace": [
            "http://backend.userland.com/rss2",
            "http://backend.userland.com/RSS2",
            "http://blogs.law.harvard.edu/tech/rss",
        ],
        "feed": True,
        "query": "disputed",
        "link": [
            {
                "elements": ["link", "url", "docs", "comments"],
                "content": True,
                "source": "RSS 2.0, in the name spaces that feeds put it in",
            },
            {"elements": ["enclosure", "source"], "attribute": "url", "source": "RSS 2.0"},
            {"elements": ["description"], "content": True, "kind": "document", "source": "RSS 2.0"},
            {"elements": ["guid"], "content": True, "kind": "identity", "source": "RSS 2.0"},
        ],
    },
    "rss1": {
        "namespace": "http://purl.org/rss/1.0/",
        "query": "disputed",
        "link": [
            {"elements": ["link", "url"], "content": True, "source": "RSS 1.0, 5.3.2, 5.4.3"},
            {
                "elements": ["description"],
                "content": True,
                "kind": "document",
                "source": "RSS 1.0, 5.5.3, as feeds have it",
            },
        ],
    },
    "rss090": {
        "namespace": "http://my.netscape.com/rdf/simple/0.9/",
        "query": "disputed",
        "link": [{"elements": ["link", "url"], "content": True, "source": "RSS 0.90"}],
    },
    "saml_schemas": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["urn:oasis:names:tc:SAML:2.0:metadata"],
        "link": [
            {
                "elements": ["AdditionalMetadataLocation"],
                "attributes": ["namespace"],
                "kind": "identity",
            },
            {
                "elements": ["AffiliateMember", "AttributeProfile", "NameIDFormat"],
                "content": True,
                "kind": "identity",
            },
            {
                "elements": ["AffiliationDescriptor"],
                "attributes": ["affiliationOwnerID"],
                "kind": "identity",
            },
            {"elements": ["EncryptionMethod"], "attributes": ["Algorithm"], "kind": "identity"},
            {"elements": ["RequestedAttribute"], "attributes": ["NameFormat"], "kind": "identity"},
            {"elements": ["*"], "attributes": ["errorURL"]},
            {"elements": ["EmailAddress"], "content": True},
        ],
    },
    "saml_schemas_1": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["urn:oasis:names:tc:SAML:2.0:assertion"],
        "link": [
            {"elements": ["*"], "attributes": ["Format"], "kind": "identity"},
            {"elements": ["Action"], "attributes": ["Namespace"], "kind": "identity"},
            {"elements": ["Attribute"], "attributes": ["NameFormat"], "kind": "identity"},
            {
                "elements": ["AuthenticatingAuthority", "AuthnContextDeclRef"],
                "content": True,
                "kind": "identity",
            },
            {
                "elements": ["AuthzDecisionStatement"],
                "attributes": ["Resource"],
                "kind": "identity",
            },
            {"elements": ["SubjectConfirmation"], "attributes": ["Method"], "kind": "identity"},
            {"elements": ["AssertionURIRef"], "content": True},
        ],
    },
    "saml_schemas_2": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["urn:oasis:names:tc:SAML:2.0:protocol"],
        "link": [
            {"elements": ["*"], "attributes": ["Consent"], "kind": "identity"},
            {"elements": ["AuthnRequest"], "attributes": ["ProtocolBinding"], "kind": "identity"},
            {"elements": ["AuthzDecisionQuery"], "attributes": ["Resource"], "kind": "identity"},
            {"elements": ["IDPEntry"], "attributes": ["ProviderID"], "kind": "identity"},
            {"elements": ["NameIDPolicy"], "attributes": ["Format"], "kind": "identity"},
            {"elements": ["RequesterID"], "content": True, "kind": "identity"},
            {"elements": ["StatusCode"], "attributes": ["Value"], "kind": "identity"},
            {"elements": ["GetComplete"], "content": True},
            {"elements": ["IDPEntry"], "attributes": ["Loc"]},
        ],
    },
    "saml_schemas_3": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["urn:oasis:names:tc:SAML:metadata:ui"],
        "link": [
            {
                "elements": ["GeolocationHint", "InformationURL", "Logo", "PrivacyStatementURL"],
                "content": True,
            }
        ],
    },
    "saml_schemas_4": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["urn:oasis:names:tc:SAML:metadata:rpi"],
        "link": [{"elements": ["RegistrationPolicy", "UsagePolicy"], "content": True}],
    },
    "saml_schemas_5": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["urn:oasis:names:tc:SAML:metadata:algsupport"],
        "link": [{"elements": ["*"], "attributes": ["Algorithm"], "kind": "identity"}],
    },
    "saml_schemas_6": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol"],
        "link": [
            {"elements": ["DiscoveryResponse"], "attributes": ["Binding"], "kind": "identity"},
            {"elements": ["DiscoveryResponse"], "attributes": ["Location", "ResponseLocation"]},
        ],
    },
    "saml_schemas_7": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["urn:oasis:names:tc:SAML:profiles:SSO:request-init"],
        "link": [
            {"elements": ["RequestInitiator"], "attributes": ["Binding"], "kind": "identity"},
            {"elements": ["RequestInitiator"], "attributes": ["Location", "ResponseLocation"]},
        ],
    },
    "saml_schemas_8": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["http://www.w3.org/2000/09/xmldsig#"],
        "link": [
            {"elements": ["Object"], "attributes": ["Encoding"], "kind": "identity"},
            {"elements": ["SignatureProperty"], "attributes": ["Target"]},
        ],
    },
    "saml_schemas_9": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["http://www.w3.org/2009/xmldsig11#"],
        "link": [
            {"elements": ["ValidationData"], "attributes": ["hashAlgorithm"], "kind": "identity"},
            {"elements": ["X509Digest"], "attributes": ["Algorithm"], "kind": "identity"},
            {"elements": ["*"], "attributes": ["URI"]},
        ],
    },
    "saml_schemas_10": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["http://www.w3.org/2001/04/xmlenc#"],
        "link": [
            {"elements": ["*"], "attributes": ["Encoding", "Type"], "kind": "identity"},
            {"elements": ["AgreementMethod"], "attributes": ["Algorithm"], "kind": "identity"},
            {"elements": ["EncryptionProperty"], "attributes": ["Target"]},
        ],
    },
    "saml_schemas_11": {
        "source": "SAML 2.0 and XML Signature 1.1, saml-schema-*-2.0.xsd, xmldsig11-schema.xsd, "
        "http://docs.oasis-open.org/security/saml/v2.0/, "
        "http://www.w3.org/TR/2013/REC-xmldsig-core1-20130411/",
        "namespace": ["http://www.w3.org/2009/xmlenc11#"],
        "link": [
            {"elements": ["*"], "attributes": ["Algorithm"], "kind": "identity"},
            {"elements": ["DerivedKey"], "attributes": ["Type"], "kind": "identity"},
        ],
    },
    "xccdf": {
        "source": "XCCDF 1.2 (NISTIR 7275 Revision 4), xccdf_1.2.xsd",
        "namespace": [
            "http://checklists.nist.gov/xccdf/1.2",
            "http://checklists.nist.gov/xccdf/1.1",
        ],
        "link": [
            {"elements": ["reference"], "attribute": "href"},
            {"elements": ["version"], "attribute": "update"},
            {
                "elements": ["check", "fix", "ident", "model", "complex-check"],
                "attribute": "system",
                "kind": "identity",
            },
            {
                "elements": ["check-content-ref", "benchmark"],
                "attribute": "href",
                "kind": "identity",
            },
        ],
    },
    "oval": {
        "source": "OVAL 5.11, oval-definitions-schema.xsd",
        "namespace": "http://oval.mitre.org/XMLSchema/oval-definitions-5",
        "link": [{"elements": ["reference"], "attribute": "ref_url"}],
    },
    "cpe-dictionary": {
        "source": "CPE Dictionary 2.3 (NISTIR 7697), cpe-dictionary_2.3.xsd",
        "namespace": "http://cpe.mitre.org/dictionary/2.0",
        "link": [
            {"elements": ["reference"], "attribute": "href"},
            {"elements": ["check"], "attributes": ["system", "href"], "kind": "identity"},
        ],
    },
    "schematron": {
        "namespace": ["http://purl.oclc.org/dsdl/schematron", "http://www.ascc.net/xml/schematron"],
        "link": [
            {"elements": ["*"], "attributes": ["see", "icon"], "source": "ISO/IEC 19757-3, 5.5"},
            {
                "elements": ["include", "extends"],
                "attribute": "href",
                "source": "ISO/IEC 19757-3, 5.4",
            },
            {
                "elements": ["ns"],
                "attribute": "uri",
                "kind": "identity",
                "source": "ISO/IEC 19757-3, 5.4",
            },
        ],
    },
    "sitemap": {
        "namespace": [
            "http://www.sitemaps.org/schemas/sitemap/0.9",
            "http://www.sitemaps.org/schemas/sitemap/0.84",
            "http://www.google.com/schemas/sitemap/0.84",
        ],
        "link": [
            {
                "elements": ["loc"],
                "content": True,
                "source": 'sitemaps.org protocol, "XML tag definitions"',
            }
        ],
    },
    "sitemapimage": {
        "namespace": "http://www.google.com/schemas/sitemap-image/1.1",
        "link": [
            {"elements": ["loc", "license"], "content": True, "source": "Google image sitemaps"}
        ],
    },
    "sitemapvideo": {
        "namespace": "http://www.google.com/schemas/sitemap-video/1.1",
        "link": [
            {
                "elements": ["thumbnail_loc", "content_loc", "player_loc", "gallery_loc"],
                "content": True,
                "source": "Google video sitemaps",
            },
            {"elements": ["uploader"], "attribute": "info", "source": "Google video sitemaps"},
        ],
    },
    "smil": {
        "namespace": [
            "http://www.w3.org/ns/SMIL",
            "http://www.w3.org/2001/SMIL20/",
            "http://www.w3.org/2001/SMIL20/Language",
            "http://www.w3.org/2005/SMIL21/",
            "http://www.w3.org/2005/SMIL21/Language",
            "http://www.w3.org/TR/REC-smil",
        ],
        "link": [
            {"elements": ["a", "area", "anchor"], "attribute": "href", "source": "SMIL 3.0, 6.6"},
            {
                "elements": [
                    "animation",
                    "audio",
                    "brush",
                    "img",
                    "ref",
                    "text",
                    "textstream",
                    "video",
                    "prefetch",
                    "param",
                ],
                "attribute": "src",
                "source": "SMIL 3.0, 7.3",
            },
            {"elements": ["*"], "attribute": "longdesc", "source": "SMIL 3.0, 7.3"},
            {
                "elements": ["layout", "region", "root-layout"],
                "attribute": "backgroundImage",
                "source": "SMIL 3.0, 5.5",
            },
            {"elements": ["body", "seq"], "attribute": "epub:textref", "source": "EPUB 3.3, 9.2.2"},
        ],
    },
    "soapblocks": {
        "namespace": "*",
        "link": [
            {
                "elements": ["*"],
                "attributes": [
                    "{http://schemas.xmlsoap.org/soap/envelope/}actor",
                    "{http://schemas.xmlsoap.org/soap/envelope/}encodingStyle",
                ],
                "kind": "identity",
                "source": "SOAP 1.1, 4.1.1, 4.2.2",
            },
            {
                "elements": ["*"],
                "attributes": [
                    "{http://www.w3.org/2003/05/soap-envelope}role",
                    "{http://www.w3.org/2003/05/soap-envelope}encodingStyle",
                ],
                "kind": "identity",
                "source": "SOAP 1.2 Part 1, 5.1.1, 5.2.2",
            },
        ],
    },
    "soap12": {
        "namespace": "http://www.w3.org/2003/05/soap-envelope",
        "link": [
            {
                "elements": ["Node", "Role"],
                "content": True,
                "kind": "identity",
                "source": "SOAP 1.2 Part 1, 5.4",
            }
        ],
    },
    "addressing": {
        "namespace": "http://www.w3.org/2005/08/addressing",
        "link": [
            {"elements": ["Address"], "content": True, "source": "WS-Addressing 1.0 Core, 2.2"},
            {
                "elements": ["Action", "MessageID", "RelatesTo"],
                "content": True,
                "kind": "identity",
                "source": "WS-Addressing 1.0 Core, 3.2",
            },
        ],
    },
    "ssml": {
        "namespace": "http://www.w3.org/2001/10/synthesis",
        "link": [
            {"elements": ["audio"], "attribute": "src", "source": "SSML 1.1, 3.3.1"},
            {"elements": ["lexicon"], "attribute": "uri", "source": "SSML 1.1, 3.1.5"},
        ],
    },
    "vxml": {
        "namespace": "http://www.w3.org/2001/vxml",
        "link": [
            {"elements": ["audio"], "attribute": "src", "source": "VoiceXML 2.1, 4.1.3"},
            {
                "elements": [
                    "audio",
                    "choice",
                    "goto",
                    "link",
                    "subdialog",
                    "submit",
                    "script",
                    "data",
                    "grammar",
                    "object",
                ],
                "attributes": ["src", "next", "data", "fetchaudio"],
                "source": "VoiceXML 2.0, 2, 5",
            },
            {
                "elements": ["form", "vxml"],
                "attribute": "application",
                "source": "VoiceXML 2.0, 1.5.1",
            },
        ],
    },
    "srgs": {
        "namespace": "http://www.w3.org/2001/06/grammar",
        "link": [
            {
                "elements": ["ruleref", "lexicon"],
                "attribute": "uri",
                "source": "SRGS 1.0, 2.2, 4.10",
            }
        ],
    },
    "tei": {
        "namespace": "http://www.tei-c.org/ns/1.0",
        "link": [
            {"elements": ["idno"], "content": True, "kind": "identity", "source": "TEI P5, 2.2.4"}
        ],
    },
    "tei_all": {
        "source": "TEI P5 4.11.0, tei_all.rng, "
        "https://tei-c.org/Vault/P5/4.11.0/xml/tei/custom/schema/relaxng/tei_all.rng",
        "namespace": ["http://www.tei-c.org/ns/1.0"],
        "link": [
            {
                "elements": ["*"],
                "attributes": ["ns", "datcat", "targetDatcat", "valueDatcat"],
                "kind": "identity",
            },
            {"elements": ["citeData"], "attributes": ["property"], "kind": "identity"},
            {"elements": ["namespace"], "attributes": ["name"], "kind": "identity"},
            {
                "elements": ["*"],
                "attributes": [
                    "ana",
                    "change",
                    "corresp",
                    "exclude",
                    "facs",
                    "rendition",
                    "resp",
                    "select",
                    "source",
                    "synch",
                    "decls",
                    "period",
                    "nymRef",
                    "domains",
                    "who",
                    "require",
                    "edRef",
                    "calendar",
                    "scribeRef",
                    "scriptRef",
                    "children",
                    "inst",
                    "toWhom",
                    "wit",
                    "perf",
                    "targetEnd",
                ],
                "kind": "list",
            },
            {
                "elements": [
                    "actor",
                    "addName",
                    "address",
                    "affiliation",
                    "author",
                    "authority",
                    "bibl",
                    "biblFull",
                    "biblStruct",
                    "birth",
                    "bloc",
                    "catDesc",
                    "climate",
                    "collection",
                    "correspDesc",
                    "country",
                    "date",
                    "death",
                    "distributor",
                    "district",
                    "docAuthor",
                    "docTitle",
                    "editor",
                    "education",
                    "event",
                    "eventName",
                    "faith",
                    "forename",
                    "funder",
                    "genName",
                    "geogFeat",
                    "geogName",
                    "institution",
                    "material",
                    "meeting",
                    "name",
                    "nationality",
                    "object",
                    "objectName",
                    "objectType",
                    "occupation",
                    "offset",
                    "orgName",
                    "origPlace",
                    "persName",
                    "placeName",
                    "population",
                    "post",
                    "principal",
                    "pubPlace",
                    "publisher",
                    "region",
                    "relation",
                    "repository",
                    "residence",
                    "resp",
                    "respStmt",
                    "roleName",
                    "rs",
                    "settlement",
                    "socecStatus",
                    "sponsor",
                    "state",
                    "surname",
                    "term",
                    "terrain",
                    "time",
                    "title",
                    "trait",
                    "unitDecl",
                    "unitDef",
                ],
                "attributes": ["ref"],
                "kind": "list",
            },
            {
                "elements": [
                    "alt",
                    "altGrp",
                    "annotation",
                    "calendar",
                    "catRef",
                    "certainty",
                    "change",
                    "citedRange",
                    "gloss",
                    "join",
                    "joinGrp",
                    "licence",
                    "link",
                    "linkGrp",
                    "locus",
                    "material",
                    "metamark",
                    "note",
                    "noteGrp",
                    "oRef",
                    "pRef",
                    "precision",
                    "ptr",
                    "redo",
                    "ref",
                    "respons",
                    "span",
                    "substJoin",
                    "term",
                    "undo",
                    "witDetail",
                ],
                "attributes": ["target"],
                "kind": "list",
            },
            {"elements": ["certainty"], "attributes": ["given"], "kind": "list"},
            {"elements": ["conversion", "event"], "attributes": ["where"], "kind": "list"},
            {"elements": ["fs"], "attributes": ["feats"], "kind": "list"},
            {
                "elements": ["msContents", "msItem", "msItemStruct"],
                "attributes": ["class"],
                "kind": "list",
            },
            {"elements": ["node"], "attributes": ["adj", "adjFrom", "adjTo"], "kind": "list"},
            {"elements": ["nym"], "attributes": ["parts"], "kind": "list"},
            {"elements": ["post"], "attributes": ["replyTo"], "kind": "list"},
            {
                "elements": ["relation"],
                "attributes": ["active", "passive", "mutual"],
                "kind": "list",
            },
            {
                "elements": ["*"],
                "attributes": [
                    "copyOf",
                    "next",
                    "prev",
                    "sameAs",
                    "hand",
                    "datingMethod",
                    "datingPoint",
                    "spanTo",
                    "end",
                    "mergedIn",
                    "url",
                    "follow",
                    "parent",
                    "unitRef",
                    "code",
                    "lemmaRef",
                ],
            },
            {
                "elements": [
                    "annotationBlock",
                    "binaryObject",
                    "ellipsis",
                    "gap",
                    "incident",
                    "kinesic",
                    "line",
                    "media",
                    "path",
                    "pause",
                    "post",
                    "surface",
                    "u",
                    "vocal",
                    "writing",
                    "zone",
                ],
                "attributes": ["start"],
            },
            {"elements": ["app", "arc", "rt", "span"], "attributes": ["from", "to"]},
            {
                "elements": [
                    "case",
                    "colloc",
                    "def",
                    "entryFree",
                    "etym",
                    "form",
                    "gen",
                    "gram",
                    "gramGrp",
                    "hom",
                    "hyph",
                    "iType",
                    "lang",
                    "lbl",
                    "mood",
                    "number",
                    "oRef",
                    "orth",
                    "pRef",
                    "per",
                    "pos",
                    "pron",
                    "re",
                    "sense",
                    "subc",
                    "syll",
                    "tns",
                    "usg",
                    "xr",
                ],
                "attributes": ["location"],
            },
            {
                "elements": [
                    "catRef",
                    "classCode",
                    "keywords",
                    "locus",
                    "locusGrp",
                    "occupation",
                    "socecStatus",
                ],
                "attributes": ["scheme"],
            },
            {"elements": ["conversion"], "attributes": ["fromUnit", "toUnit"]},
            {"elements": ["dataRef", "g"], "attributes": ["ref"]},
            {
                "elements": ["eLeaf", "eTree", "iNode", "leaf", "node", "root", "triangle"],
                "attributes": ["value"],
            },
            {"elements": ["equiv"], "attributes": ["filter", "uri"]},
            {"elements": ["f"], "attributes": ["fVal"]},
            {"elements": ["fsdLink", "relatedItem", "rt", "specGrpRef"], "attributes": ["target"]},
            {"elements": ["handShift"], "attributes": ["new"]},
            {"elements": ["timeline"], "attributes": ["origin"]},
            {"elements": ["when"], "attributes": ["since"]},
        ],
    },
    "dav": {
        "namespace": "DAV:",
        "link": [
            {"elements": ["href"], "content": True, "source": "RFC 4918, 14.7"},
            {"elements": ["lockroot"], "content": True, "source": "RFC 4918, 14.12"},
        ],
    },
    "wml": {
        "roots": ["wml"],
        "link": [
            {
                "elements": ["a", "go", "anchor"],
                "attribute": "href",
                "source": "WML 1.3, 11.8, 9.5.1",
            },
            {"elements": ["img"], "attribute": "src", "source": "WML 1.3, 11.9"},
            {
                "elements": ["card", "template", "option"],
                "attributes": ["onenterforward", "onenterbackward", "ontimer", "onpick"],
                "source": "WML 1.3, 9.10",
            },
        ],
    },
    "wml2": {
        "namespace": "http://www.wapforum.org/2001/wml",
        "link": [
            {
                "elements": ["go", "card"],
                "attributes": ["href", "onenterforward", "onenterbackward", "ontimer"],
                "source": "WML 2.0",
            }
        ],
    },
    "wsdl": {
        "namespace": "http://schemas.xmlsoap.org/wsdl/",
        "link": [
            {"elements": ["import"], "attribute": "location", "source": "WSDL 1.1, 2.1.1"},
            {
                "elements": ["import"],
                "attribute": "namespace",
                "kind": "identity",
                "source": "WSDL 1.1, 2.1.1",
            },
            {
                "elements": ["definitions"],
                "attribute": "targetNamespace",
                "kind": "identity",
                "source": "WSDL 1.1, 2.1",
            },
        ],
    },
    "soap": {
        "namespace": [
            "http://schemas.xmlsoap.org/wsdl/soap/",
            "http://schemas.xmlsoap.org/wsdl/soap12/",
            "http://schemas.xmlsoap.org/wsdl/http/",
        ],
        "link": [
            {"elements": ["address"], "attribute": "location", "source": "WSDL 1.1, 3.8, 4.3"},
            {
                "elements": ["operation"],
                "attribute": "soapAction",
                "kind": "identity",
                "source": "WSDL 1.1, 3.4",
            },
            {
                "elements": ["binding"],
                "attribute": "transport",
                "kind": "identity",
                "source": "WSDL 1.1, 3.3",
            },
            {
                "elements": ["body", "header", "fault"],
                "attribute": "namespace",
                "kind": "identity",
                "source": "WSDL 1.1, 3.5",
            },
        ],
    },
    "wsdl20": {
        "namespace": "http://www.w3.org/ns/wsdl",
        "link": [
            {
                "elements": ["import", "include"],
                "attribute": "location",
                "source": "WSDL 2.0, 4.1, 4.2",
            },
            {
                "elements": ["import"],
                "attribute": "namespace",
                "kind": "identity",
                "source": "WSDL 2.0, 4.2",
            },
            {"elements": ["endpoint"], "attribute": "address", "source": "WSDL 2.0, 2.15"},
            {
                "elements": ["description"],
                "attribute": "targetNamespace",
                "kind": "identity",
                "source": "WSDL 2.0, 2.1",
            },
            {
                "elements": ["binding"],
                "attribute": "type",
                "kind": "identity",
                "source": "WSDL 2.0, 2.9",
            },
            {
                "elements": ["operation"],
                "attribute": "pattern",
                "kind": "identity",
                "source": "WSDL 2.0, 2.4",
            },
        ],
    },
    "x3d": {
        "roots": ["X3D"],
        "link": [
            {
                "elements": ["*"],
                "attribute": "url",
                "kind": "strings",
                "source": "ISO/IEC 19776-1, 5.15",
            }
        ],
    },
    "xbrli": {
        "namespace": "http://www.xbrl.org/2003/instance",
        "link": [
            {
                "elements": ["identifier"],
                "attribute": "scheme",
                "kind": "identity",
                "source": "XBRL 2.1, 4.7.3.1",
            }
        ],
    },
    "linkbase": {
        "namespace": "http://www.xbrl.org/2003/linkbase",
        "link": [
            {
                "elements": ["roleRef", "roleType"],
                "attribute": "roleURI",
                "kind": "identity",
                "source": "XBRL 2.1, 3.5.2.4, 5.1.3",
            },
            {
                "elements": ["arcroleRef", "arcroleType"],
                "attribute": "arcroleURI",
                "kind": "identity",
                "source": "XBRL 2.1, 3.5.2.5, 5.1.4",
            },
        ],
    },
    "xforms": {
        "namespace": "http://www.w3.org/2002/xforms",
        "link": [
            {
                "elements": ["instance", "load", "submission"],
                "attributes": ["resource", "src"],
                "source": "XForms 1.1, 3.3.2, 10.11, 11.1",
            },
            {
                "elements": [
                    "instance",
                    "load",
                    "label",
                    "help",
                    "hint",
                    "alert",
                    "message",
                    "output",
                    "item",
                ],
                "attribute": "src",
                "source": "XForms 1.0, 8.1",
            },
            {"elements": ["submission"], "attribute": "action", "source": "XForms 1.1, 11.1"},
            {
                "elements": ["model"],
                "attribute": "schema",
                "kind": "list",
                "source": "XForms 1.1, 3.3.1",
            },
        ],
    },
    "events": {
        "namespace": "http://www.w3.org/2001/xml-events",
        "link": [{"elements": ["listener"], "attribute": "handler", "source": "XML Events, 3.1"}],
    },
    "xinclude": {
        "namespace": ["http://www.w3.org/2001/XInclude", "http://www.w3.org/2003/XInclude"],
        "query": "disputed",
        "link": [{"elements": ["include"], "attribute": "href", "source": "XInclude 1.0, 3.1"}],
    },
    "xliff12": {
        "namespace": "urn:oasis:names:tc:xliff:document:1.2",
        "link": [
            {"elements": ["external-file"], "attribute": "href", "source": "XLIFF 1.2, 2.2"},
            {
                "elements": ["file"],
                "attribute": "original",
                "kind": "identity",
                "source": "XLIFF 1.2, 2.3, original: a name of type xsd:string, which tools compare",
            },
        ],
    },
    "xliff2": {
        "namespace": "urn:oasis:names:tc:xliff:document:2.0",
        "link": [
            {
                "elements": ["file", "skeleton"],
                "attributes": ["original", "href"],
                "source": "XLIFF 2.1, 4.3.1",
            },
            {
                "elements": ["mrk", "sm", "note"],
                "attribute": "ref",
                "source": "XLIFF 2.1, 4.3.1, ref",
            },
        ],
    },
    "xliff2resources": {
        "namespace": "urn:oasis:names:tc:xliff:resourcedata:2.0",
        "link": [
            {
                "elements": ["source", "target", "reference"],
                "attribute": "href",
                "source": "XLIFF 2.1, 5.6.4, href",
            }
        ],
    },
    "xml": {
        "namespace": "*",
        "link": [
            {"elements": ["*"], "attribute": "xml:base", "source": "XML Base, 3"},
            {"elements": ["*"], "attribute": "xlink:href", "source": "XLink 1.1, 5.4"},
            {
                "elements": ["*"],
                "attributes": ["xlink:role", "xlink:arcrole"],
                "kind": "identity",
                "source": "XLink 1.1, 5.5",
            },
            {
                "elements": ["*"],
                "attribute": "xsi:noNamespaceSchemaLocation",
                "source": "XML Schema Part 1, 4.3.2",
            },
            {
                "elements": ["*"],
                "attribute": "xsi:schemaLocation",
                "kind": "pairs",
                "source": "XML Schema Part 1, 4.3.2",
            },
            {
                "elements": ["*"],
                "attributes": ["rdf:about", "rdf:resource", "rdf:datatype"],
                "kind": "identity",
                "source": "RDF/XML, 2.2, 2.4, 2.9",
            },
        ],
    },
    "svg_names": {
        "namespace": "http://www.w3.org/2000/svg",
        "link": [
            {
                "elements": ["*"],
                "attribute": "xlink:href",
                "kind": "identity",
                "source": "SVG 1.1, 17.1",
            },
            {
                "elements": ["*"],
                "attributes": ["requiredExtensions", "requiredFeatures"],
                "when": {"none": []},
                "source": "SVG 2, 5.9.4; SVG 1.1, 5.8.2",
            },
        ],
    },
    "dsig": {
        "namespace": ["http://www.w3.org/2000/09/xmldsig#", "http://www.w3.org/2009/xmldsig11#"],
        "link": [
            {
                "elements": ["Reference", "RetrievalMethod"],
                "attribute": "URI",
                "source": "XML Signature 1.1, 4.4.3, 4.5.3",
            },
            {
                "elements": ["Reference", "RetrievalMethod"],
                "attribute": "Type",
                "kind": "identity",
                "source": "XML Signature 1.1, 4.4.3.1",
            },
            {
                "elements": [
                    "CanonicalizationMethod",
                    "SignatureMethod",
                    "DigestMethod",
                    "Transform",
                ],
                "attribute": "Algorithm",
                "kind": "identity",
                "source": "XML Signature 1.1, 4.4",
            },
        ],
    },
    "xenc": {
        "namespace": "http://www.w3.org/2001/04/xmlenc#",
        "link": [
            {
                "elements": ["CipherReference", "DataReference", "KeyReference"],
                "attribute": "URI",
                "source": "XML Encryption 1.1, 3.3.1, 3.6",
            },
            {
                "elements": ["EncryptionMethod"],
                "attribute": "Algorithm",
                "kind": "identity",
                "source": "XML Encryption 1.1, 3.2",
            },
        ],
    },
    "samlmetadata": {
        "namespace": "urn:oasis:names:tc:SAML:2.0:metadata",
        "link": [
            {
                "elements": ["*"],
                "attributes": ["Location", "ResponseLocation"],
                "source": "SAML 2.0 Metadata, 2.2.2",
            },
            {
                "elements": ["EntityDescriptor"],
                "attribute": "entityID",
                "kind": "identity",
                "source": "SAML 2.0 Metadata, 2.3.2",
            },
            {
                "elements": ["*"],
                "attribute": "Binding",
                "kind": "identity",
                "source": "SAML 2.0 Metadata, 2.2.2",
            },
            {
                "elements": ["OrganizationURL", "AdditionalMetadataLocation"],
                "content": True,
                "source": "SAML 2.0 Metadata, 2.3.2.1",
            },
        ],
    },
    "samlprotocol": {
        "namespace": "urn:oasis:names:tc:SAML:2.0:protocol",
        "link": [
            {
                "elements": ["*"],
                "attributes": ["Destination", "AssertionConsumerServiceURL"],
                "source": "SAML 2.0 Core, 3.2.1, 3.4.1",
            }
        ],
    },
    "saml": {
        "namespace": "urn:oasis:names:tc:SAML:2.0:assertion",
        "link": [
            {
                "elements": ["Issuer", "Audience", "AuthnContextClassRef"],
                "content": True,
                "kind": "identity",
                "source": "SAML 2.0 Core, 2.2.5, 2.5.1.4",
            },
            {
                "elements": ["SubjectConfirmationData"],
                "attribute": "Recipient",
                "source": "SAML 2.0 Core, 2.4.1.2",
            },
        ],
    },
    "xmlspec": {
        "roots": ["spec"],
        "publics": ["-//W3C//DTD Specification"],
        "link": [
            {
                "elements": [
                    "bibl",
                    "email",
                    "errataloc",
                    "loc",
                    "preverrataloc",
                    "titleref",
                    "translationloc",
                    "xnt",
                    "xspecref",
                    "xtermref",
                ],
                "attribute": "href",
                "source": "XMLspec 2.10, xmlspec.dtd, href.att",
            },
            {
                "elements": ["graphic"],
                "attribute": "source",
                "source": "XMLspec 2.10, xmlspec.dtd, graphic",
            },
        ],
    },
    "xmprights": {
        "namespace": "http://ns.adobe.com/xap/1.0/rights/",
        "link": [{"elements": ["WebStatement"], "content": True, "source": "XMP Part 1, 8.5"}],
    },
    "xmp": {
        "namespace": "http://ns.adobe.com/xap/1.0/",
        "link": [
            {"elements": ["BaseURL"], "content": True, "source": "XMP Part 1, 8.4"},
            {
                "elements": ["*"],
                "attribute": "{http://ns.adobe.com/xap/1.0/}BaseURL",
                "source": "XMP Part 1, 8.4",
            },
        ],
    },
    "xmpattributes": {
        "namespace": "*",
        "link": [
            {
                "elements": ["*"],
                "attribute": "{http://ns.adobe.com/xap/1.0/rights/}WebStatement",
                "source": "XMP Part 1, 8.5",
            },
            {
                "elements": ["*"],
                "attribute": "{http://ns.adobe.com/xap/1.0/}BaseURL",
                "source": "XMP Part 1, 8.4",
            },
        ],
    },
    "xsd": {
        "namespace": "http://www.w3.org/2001/XMLSchema",
        "link": [
            {
                "elements": ["include", "import", "redefine", "override"],
                "attribute": "schemaLocation",
                "source": "XML Schema Part 1, 4.2",
            },
            {
                "elements": ["documentation", "appinfo"],
                "attribute": "source",
                "source": "XML Schema Part 1, 3.13.2",
            },
            {
                "elements": ["schema"],
                "attribute": "targetNamespace",
                "kind": "identity",
                "source": "XML Schema Part 1, 3.15.2",
            },
            {
                "elements": ["import"],
                "attribute": "namespace",
                "kind": "identity",
                "source": "XML Schema Part 1, 4.2.3",
            },
            {
                "elements": ["element", "attribute"],
                "attribute": "targetNamespace",
                "kind": "identity",
                "source": "XML Schema 1.1 Part 1, 3.3.2",
            },
            {
                "elements": ["notation"],
                "attribute": "system",
                "source": "XML Schema Part 1, 3.12.2",
            },
            {
                "elements": ["*"],
                "attributes": [
                    "namespace",
                    "notNamespace",
                    "xpathDefaultNamespace",
                    "default",
                    "fixed",
                ],
                "when": {"none": []},
                "source": "XML Schema 1.1 Part 1, 3.2.2, 3.3.2, 3.10.2, 3.13.2",
            },
            {
                "elements": ["enumeration", "pattern"],
                "attribute": "value",
                "when": {"none": []},
                "source": "XML Schema 1.1 Part 2, 4.3.4, 4.3.5",
            },
        ],
    },
    "fo": {
        "namespace": "http://www.w3.org/1999/XSL/Format",
        "link": [
            {
                "elements": ["basic-link", "bookmark"],
                "attribute": "external-destination",
                "kind": "uri-specification",
                "source": "XSL 1.1, 7.23.6",
            },
            {
                "elements": ["external-graphic"],
                "attribute": "src",
                "kind": "uri-specification",
                "source": "XSL 1.1, 7.30.17",
            },
            {
                "elements": ["*"],
                "attribute": "background-image",
                "kind": "uri-specification",
                "source": "XSL 1.1, 7.8.3",
            },
            {
                "elements": ["color-profile"],
                "attribute": "src",
                "kind": "uri-specification",
                "source": "XSL 1.1, 7.30.17",
            },
            {
                "elements": ["*"],
                "attributes": ["color-profile-name", "source-document", "role"],
                "kind": "identity",
                "source": "XSL 1.1, 7.5",
            },
        ],
    },
    "xslt": {
        "namespace": "http://www.w3.org/1999/XSL/Transform",
        "link": [
            {
                "elements": ["import", "include"],
                "attribute": "href",
                "source": "XSLT 3.0, 3.11.1, 3.11.2",
            },
            {
                "elements": ["source-document", "merge-source"],
                "attribute": "href",
                "kind": "template",
                "source": "XSLT 3.0, 18.1, 15.4",
            },
            {
                "elements": ["result-document", "document"],
                "attribute": "href",
                "kind": "identity",
                "source": "XSLT 3.0, 25.1",
            },
            {
                "elements": ["output", "result-document"],
                "attribute": "parameter-document",
                "kind": "template",
                "source": "XSLT 3.0, 26",
            },
            {
                "elements": ["import-schema"],
                "attribute": "schema-location",
                "source": "XSLT 3.0, 3.15",
            },
            {
                "elements": ["import-schema"],
                "attribute": "namespace",
                "kind": "identity",
                "source": "XSLT 3.0, 3.15",
            },
            {
                "elements": ["element", "attribute"],
                "attribute": "namespace",
                "kind": "identity",
                "source": "XSLT 3.0, 11.2, 11.3",
            },
            {
                "elements": ["output", "result-document", "document"],
                "attribute": "doctype-system",
                "kind": "identity",
                "source": "XSLT 3.0, 26; it is written into a result",
            },
            {
                "elements": ["*"],
                "attributes": ["xpath-default-namespace", "default-collation", "collation"],
                "when": {"none": []},
                "source": "XSLT 3.0, 5.1.2, 3.7.1, 13.1.3",
            },
        ],
    },
    "xspf": {
        "namespace": "http://xspf.org/ns/0/",
        "link": [
            {
                "elements": ["location", "info", "image", "license"],
                "content": True,
                "source": "XSPF 1, 4.1.1.2",
            },
            {
                "elements": ["identifier"],
                "content": True,
                "kind": "identity",
                "source": "XSPF 1, 4.1.1.2.6",
            },
            {
                "elements": ["link", "meta"],
                "attribute": "rel",
                "kind": "identity",
                "source": "XSPF 1, 4.1.1.2.11",
            },
            {"elements": ["link"], "content": True, "source": "XSPF 1, 4.1.1.2.11"},
        ],
    },
}
