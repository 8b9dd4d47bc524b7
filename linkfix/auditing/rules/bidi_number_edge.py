"""A right-to-left component that ends in a number.

What it does
    Reports parts of a link between delimiters that have right-to-left letters and digits at the
    end.

Why it is bad
    The digits may be displayed on the other side of the delimiter, next to the wrong component.

Example
    <a href="/עברית12/3">

Instead
    Put the number into a component of its own: <a href="/עברית/12/3">
"""

from linkfix.auditing.direction import edges
from linkfix.auditing.rule import Check

check: Check = edges("it ends in a number, which display may move", are_numbers=True)
