"""Convert a column of references, some of which are missing or wrong.

Prints:

    http://xn--r8jz45g.jp/%E6%A4%9C%E7%B4%A2?q=%E7%A9%BA
    http://[: '[' is no IPv6 address
    /a%20b
"""

from linkfix import iri

column = ["http://例え.jp/検索?q=空", None, "http://[", "/a b"]
for value in column:
    if value is not None:
        done = iri.convert(value, to="uri")
        print(done.text if done.ok else f"{value}: {done.problems[0].message}")
