"""A component with characters of both directions.

What it does
    Reports parts of a link between delimiters that have letters written from left to right and from
    right to left.

Why it is bad
    They are displayed in an order that readers cannot type the link from.

Example
    <a href="/עבריתabc/">

Instead
    One direction for each component.
"""
