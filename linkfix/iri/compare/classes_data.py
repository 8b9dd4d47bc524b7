"""The classes of disputed references, as measured in Chromium 156, Firefox 153 and WebKitGTK 2.50."""

from __future__ import annotations

#: Schemes that Chromium and Firefox read with parsers of their own.
OWN_PARSERS = frozenset(
    [
        "about",
        "blob",
        "chrome",
        "chrome-distiller",
        "chrome-extension",
        "chrome-native",
        "chrome-search",
        "isolated-app",
        "jar",
        "moz-extension",
        "resource",
        "view-source",
    ]
)
#: Schemes behind which a browser keeps dot segments.
KEEP_DOTS = frozenset({"about", "blob", "data", "javascript", "steam"})

#: Who goes where, by class.
CLASSES = {
    "scheme-disputed": "Chromium and Firefox read this scheme with parsers of their own, WebKit and the URL Standard as any other",
    "dots-disputed": "Firefox keeps dot segments behind about:, blob:, data: and javascript:, Chromium behind steam:, WebKit and the URL Standard nowhere",
    "drive-letter-disputed": "Chromium keeps the bar of a drive letter, Firefox, WebKit and the URL Standard make it a colon",
    "drive-host-disputed": "Chromium follows no drive letter in the place of a host, Firefox, WebKit and the URL Standard do",
    "drive-base-disputed": "Chromium does not keep the drive letter of the base, WebKit and the URL Standard do, Firefox now and then",
    "file-host-disputed": "Firefox goes to the file on this machine, Chromium, WebKit and the URL Standard to the host",
    "file-slashes-disputed": "Chromium drops the slashes beyond three, Firefox, WebKit and the URL Standard keep them",
    "backslash-disputed": "Chromium takes this backslash for a slash, Firefox and WebKit do so in front, the URL Standard nowhere",
    "userinfo-disputed": "every browser keeps this percent sign, which no URI may hold",
    "host-mapping-disputed": "readers with tables of Unicode {} and {} go to different hosts, WebKit among the former",
    "host-composed-disputed": "Chromium refuses this host, Firefox, WebKit and the URL Standard compose a character with U+0338",
    "host-character-disputed": "Chromium escapes this character, Firefox refuses the host, WebKit and the URL Standard keep both",
    "host-number-disputed": "Firefox refuses 0x without digits, Chromium, WebKit and the URL Standard take it for 0",
    "quote-disputed": "Chromium escapes an apostrophe in the query of this scheme, Firefox, WebKit and the URL Standard keep it",
    "opaque-host-disputed": "browsers do not agree which octets and characters the host of an unknown scheme may have",
    "fragment-controls-disputed": "Firefox keeps control characters at the end of a fragment, Chromium, WebKit and the URL Standard drop them",
}

#: The browsers that depart from the URL Standard, by class.
DEPARTING = {
    "scheme-disputed": frozenset({"chromium", "firefox"}),
    "dots-disputed": frozenset({"chromium", "firefox"}),
    "drive-letter-disputed": frozenset({"chromium"}),
    "drive-host-disputed": frozenset({"chromium"}),
    "drive-base-disputed": frozenset({"chromium", "firefox"}),
    "file-host-disputed": frozenset({"chromium", "firefox"}),
    "file-slashes-disputed": frozenset({"chromium"}),
    "backslash-disputed": frozenset({"chromium", "firefox", "webkit"}),
    "userinfo-disputed": frozenset({"chromium", "firefox", "webkit"}),
    "host-mapping-disputed": frozenset({"webkit"}),
    "host-composed-disputed": frozenset({"chromium"}),
    "host-character-disputed": frozenset({"chromium", "firefox"}),
    "host-number-disputed": frozenset({"firefox"}),
    "quote-disputed": frozenset({"chromium"}),
    "opaque-host-disputed": frozenset({"chromium", "firefox", "webkit"}),
    "fragment-controls-disputed": frozenset({"firefox"}),
}
