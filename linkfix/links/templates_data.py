"""The tables of ``links/templates.toml``.

``tools/make_tables.py`` made this file: do not edit it.
"""

from __future__ import annotations

from typing import Any

TABLES: dict[str, Any] = {
    "mark": [
        {
            "open": "{{",
            "close": "}}",
            "reach": 4096,
            "follows": "(?!\\\\)(?:[-!/~]|\\{?+\\s{0,60}+<[^/]|\\{[^{}<>\"'`]{0,90}+(?:[^<]|<[^a-z/])|(?!\\{)[^{}<>\"'`]{0,90}+(?:[^}<]|<[^a-z/]|\\}\\}))",
            "engines": "Jinja, Django, Liquid, Twig, Mustache, Handlebars, Go, Hugo, Angular, Vue, Blade",
        },
        {
            "open": "{%",
            "close": "%}",
            "reach": 4096,
            "follows": "(?!\\d)[-+~]?+\\s{0,60}+(?:\\w{1,30}+[^\\w}]|\\w{31}|[^\\w\\\\{}<>])",
            "engines": "Jinja, Django, Liquid, Twig",
        },
        {
            "open": "<%",
            "close": "%>",
            "reach": 65536,
            "engines": "ERB, JSP, ASP, EJS, Mako, Underscore",
        },
        {"open": "<?php", "close": "?>", "reach": 0, "engines": "PHP"},
        {"open": "<?=", "close": "?>", "reach": 65536, "engines": "PHP"},
        {"open": "<? ", "close": "?>", "reach": 4096, "engines": "PHP with short tags"},
        {
            "open": "<cf",
            "close": "</html>",
            "reach": 0,
            "follows": "[A-Za-z]{2,30}[\\s>]",
            "code": "#",
            "engines": "ColdFusion: #x# is an expression, and ## a number sign",
        },
    ]
}
