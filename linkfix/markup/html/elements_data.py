"""The namespaces of elements, and the elements whose content is text."""

from linkfix.markup.html.tokens import State

HTML = "http://www.w3.org/1999/xhtml"
SVG = "http://www.w3.org/2000/svg"
MATHML = "http://www.w3.org/1998/Math/MathML"

#: Elements after whose start tag the tokenizer changes its state (13.2.6.4.4 to 13.2.6.4.7).
TEXT_STATES = {
    b"title": State.RCDATA,
    b"textarea": State.RCDATA,
    b"style": State.RAWTEXT,
    b"xmp": State.RAWTEXT,
    b"iframe": State.RAWTEXT,
    b"noembed": State.RAWTEXT,
    b"noframes": State.RAWTEXT,
    b"script": State.SCRIPT_DATA,
    b"plaintext": State.PLAINTEXT,
}
