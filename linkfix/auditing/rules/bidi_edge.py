"""A right-to-left component that does not begin and end right to left.

What it does
    Reports parts of a link between delimiters that have right-to-left letters, but something else
    at an edge. Digits at the end have a rule of their own.

Why it is bad
    A character at the edge is displayed as part of the neighbour.

Example
    <a href="/-עברית/">

Instead
    Begin and end the component with a letter of its own direction.
"""

from linkfix.auditing.direction import edges
from linkfix.auditing.rule import Check

check: Check = edges("", are_numbers=False)
