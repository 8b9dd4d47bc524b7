"""List the links of a page with the text and the rel of their elements.

Prints:

    http://www.example.jp/%E6%A4%9C%E7%B4%A2?q=%8B%F3 nofollow 検索
    http://www.example.jp/b%20c None more here
"""

import lxml.html

import linkfix

page = '<p><a href="/検索?q=空" rel="nofollow">検索</a> <a href="b c">more <b>here</b></a>'
tree = lxml.html.document_fromstring(
    page.encode("shift_jis"), parser=lxml.html.HTMLParser(encoding="shift_jis")
)
for link in linkfix.trees.iter_links(tree, base="http://www.example.jp/"):
    print(link.resolved, link.element.get("rel"), link.element.text_content())
