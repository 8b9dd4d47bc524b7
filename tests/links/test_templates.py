"""Templates and server code: left, or their literal parts converted; the same in any chunks."""

from __future__ import annotations

import contextlib
import io
import random
from typing import TYPE_CHECKING, Any

import pytest
from effort import growth
from hypothesis import given
from hypothesis import strategies as st

import linkfix
from linkfix.links import Scope, Templates
from linkfix.links.templates import IN_CODE, IS_TEMPLATE, TEMPLATES, Mark
from linkfix.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable

META = "<meta charset=utf-8>"
CONVERT = Policy(scope=Scope(templates=Templates(convert=True)))


def rewritten(
    page: str, policy: Policy | None = None, **settings: str
) -> tuple[str, linkfix.Report]:
    out = io.BytesIO()
    report = linkfix.rewrite(page.encode(), out, policy=policy, **settings)  # type: ignore[call-overload]
    return out.getvalue().decode(), report


LEFT = [
    "{{ url }}",
    "{{ base }}/a b.png",
    "{{url}}",
    "{% url 'x' %}/a b",
    "{%- if a -%}/x y{%- endif -%}",
    "{# note #}/a b",
    "${base}/a b",
    "#{base}/a b",
    "@{/a b}",
    "{= x }/a b",
    "{$url}/a b",
    "<%= link %>/a b",
    "<? echo $u ?>/a b",
    "<?= $u ?>/a b",
    "<?php echo $u ?>/a b",
    "<?php\necho $u ?>/a b",
    "<!--#echo var=x -->/a b",
    "[[ link ]]/a b",
    "<c:url value=x />/a b",
    "/a b/{{ id }}?q=ж",
    # Engines of no table, known by their shape.
    "*|UNSUB|*", "/a b?u=*|EMAIL|*", "%%view_email_url%%", "/a b?u=%%subid%%", "%UNSUBSCRIBELINK%", "%X%", "/a b?x=%X%", "%AB%", "/a b?m=%EMAIL%", "%ACCOUNT%",
    "http://%HOST%/a b", "%SCRIPTURL{x}%/a b", "[% url %]",  "<TMPL_VAR NAME=U>/a b", "/<id>/a b",
    "{U_INDEX}", "{T_PATH}/a b.png", "/user/{name}", "?sort={name}", "#l{no}.1", "{url|urlescape}tags{vars%urlparameter}",
    "{f:uri(a: {b: 1})}", "{0}", "{}", "###URL###", "/a b/##X##", "<?js= u ?>", "<?lsmb a.b ?>", "<?js=", "a b<?js= x > 1 ?>",
    "<@= u @>", "<& u &>", "<tag:url />", "$!{u}", "%{u}", "(% u %)", "[@u x]", "[+ $a +]/a b", "[#x#]&b=c d", "[+ $a->{", "[link_url]",
    "[_1]", "[base]/a b", "|filename|/a b", "`url`", "%s", "%s/a b", "?q=%s", "%(url)s/a b", "%1$s",  "$a::b/c d",
     "http://<server>/a b", "@{[ a->b(", "%WORD{",
    "#x#", "/a b?id=#x#", "/a b?id=#url.id#&y=#form.z#", "#a##b#/c d", "#f(x)#/a b", "/a b/img#id#.gif", "<<URL>>", "/a b/<<x>>", "||URL||",
    "[#if x]a b[/#if]", "/a b/[=x]", "[@link.to x/]", "$[x]", "@[x]/a b",
    "$row[id]/a b", "/a b?x=$row[a][b]&y", "$x->url/a b", "/a b/$x->y->{z}", "@Model.Items[0].Url/a b", "/a b/@(x + 1)", "#{x/a b", "$relpath^a b",
]  # fmt: skip
#: The same with quotes.
LEFT_IN_QUOTES = [
    "[% 'a' | rel([b]) %]/a b",
    "' . url . '",
    "$item['url']",
    "{url 'a b'}/c d",
    "{'a b'}",
    "<x y='z'>/a b",
    "%FIRST NAME%",
    "$esc.url('a b')",
    "@Url.Content('~/a b')",
    "@Url.Action(&quot;a b&quot;, &quot;c d&quot;)",
    "/x/@Html.Raw(Url.Of(&quot;a b&quot;))/c d",
    "@(a ? &quot;b c&quot; : &quot;d&quot;)/e f",
    "@Model[&quot;x y&quot;]",
    "@item[",
    "#{item[",
    "$x->f('a b')/c d",
    "$url.of($x, 'a').b(c, d)/e f",
    "./@Display.Of(Width: 1, Mode:",
    "/a b?c=' . $d . '&e",
    "&quot;.$a.&quot;/b c",
    "/a b?c=&quot;.$d.&quot;&e",
    "&quot;+a+&quot;/b c",
    "mailto:a\\@b.example",
    "\\@a.b@/c d",
    "<cfif not f(",
    "#url_of($a.b, $c)",
    "mailto:' . f('a b') . '",
    "%TMPL:P{&quot;x:y&quot;}%",
    "[area href=",
    "[area href='a b' form='c=[d e]']",
    "[area a/b [c-d]]",
    "[if session x][area b c][else]d[/else]",
    "a b/[item-field image]",
    "mailto:[loop-param email]",
    "/a b?c=[loop-code]&d",
    "<__trans phrase=",
    "| . $x->y($z ? ",
    "#springUrl(&quot;/a b&quot;)",
    "#if($x == &quot;y&quot;)a b#else c d#end",
    "#if($x)a b#end",
    "@if(Auth::check()) /a b @else /c d @endif",
    "@auth /a b @endauth",
    "@(Model.X + ",
    "/a b/@(x ? Url.Of(",
    "{path_to ",
    "{url path=",
    "/a b/{f(x, y: ",
    "{:U(",
    "#{a ",
]
#: Values whose signs are no expressions.
NOT_LEFT = [
    "/%E3%81%82 b", "/%81$d b", "%C3%A9t%C3%A9%", "?p=%E3%", "/a b?rate=100%", "50%off /a b", "http://[::1]/a b", "//[v1.x]/a b", "/a b?c[]=1&d[e]=2",
    "/a[1] b", "?f[$gt]=5 6", "?q={\"a\":1}", "?q={ \"a\":{\"b\":1}}", "{3F2504E0-4F89-11D3-9A0C-0305E82C3301}.png", "#A#B", "a|b|c",
    "?family=A b|C d", "#variable:A_<B>_C d", "#<b>", "/a<b>", "/a b<c>\"d\"{e}|f", "#x:<b>", "?q=a<b c", "x.html<br", "data:image/svg+xml,<svg><path d='m {x}'/></svg>", "^", "/a b#",
    "#set(int, java.lang.Object)", "/a#b#c d", "#b##c d", "/a b#top#", "#a#b", "?c=#fff&d=#000 x", "/a b/(x \"y\").html", "mailto:\"a b\"@example.org", "@user \"x\"",
    "x@example.org (A \"B\" C)", "/Products('a b')", "/a [live-version].mp3", "/[final version].pdf", "?q=\"a\"+b+\"c\" d", "?a=\"b\"&c=\"d\" e", "it's a . b, c's", "#Outer$Inner.f(int, int)", "a b.html#scala.Option@map[B](f:A=>B):Option[B]", "#<=(that:A):Boolean a b", "#map[B](f:A=>B):Option[B] a b", "mailto:a@b.example(C D)", "/a$b (c d)", "#xpointer(id('a')[@b])", "it's, a b", "(a) b", "%", "{", "[", "a b##", "$a b", "\\a\\b c",
    "mailto:a@[192.0.2.1]?subject=b c", "/a b@[c]", "/a b@(c)", "/a b@(c", "/a b$(c)", "/a b?$x=[c]",
]  # fmt: skip


PLACES = [
    '<a href="VALUE">x</a>',
    "<a href='VALUE'>x</a>",
    '<a title=x y href="VALUE" class=z>x</a>',
    '<img srcset="VALUE 1x, /c%20d 2x">',
    "<a ping='VALUE' href=x>",
    "<div style=\"background: url('VALUE')\">",
    '<meta http-equiv=refresh content="3; url=VALUE">',
    "<iframe srcdoc=\"<a href='VALUE'>x</a>\"></iframe>",
    '<base href="VALUE">',
]


@pytest.mark.parametrize("value", LEFT)
def test_a_value_with_a_mark_is_left(value: str) -> None:
    for place in PLACES:
        source = META + place.replace("VALUE", value)
        assert rewritten(source)[0] == source


@pytest.mark.parametrize("value", LEFT_IN_QUOTES)
def test_an_expression_may_have_quotes(value: str) -> None:
    source = f'{META}<a href="{value}">x</a>'
    assert rewritten(source)[0] == source


@pytest.mark.parametrize("value", NOT_LEFT)
def test_a_value_whose_signs_are_no_expression_is_a_link(value: str) -> None:
    assert TEMPLATES.expressions(value) == []
    assert Templates(convert=True).is_whole(value)


@given(
    st.lists(
        st.sampled_from(
            [
                *"{}[]()<>|%#$@*+-!=?:;./&^`'\\\" ,~_ax1é",
                "%%",
                "##",
                "[[",
                "%s",
                "%41",
                "{a}",
                "//",
                "http://",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_no_shape_is_in_a_valid_reference(value: str) -> None:
    if TEMPLATES.expressions(value):
        assert linkfix.iri.violations(value), value


def test_it_is_counted_and_its_reason_is_said() -> None:
    outcomes: list[linkfix.Outcome] = []
    page = META + '<a href="{{ x }}">x</a><a href="a b">y</a>'
    report = linkfix.rewrite(page.encode(), io.BytesIO(), on_outcome=outcomes.append)
    assert (report.kept, report.changed) == (1, 1)
    assert "template" in outcomes[0].kept


@pytest.mark.parametrize("page", [
    '<a href="{{ url_for("x y", id=1) }}">x</a>',
    '<a href="{% url "detail" slug="a b" %}">x</a>',
    '<a href="<?php echo url("x y", \'b|c\') ?>/a b">x</a>',
    '<a href="<%= link("x y") %>">x</a>',
    '<a href="<c:url value="/x y"/>">x</a>',
    '<img srcset="{{ url("a b", "c d") }} 1x, {{ url("e") }} 2x">',
    '<a ping="{{ a b }} ${c d} /e">',
    "<a {{ attributes(href='x y') }}>x</a>",
    "<?php if ($a->b) { echo \"<a href='x y'>\"; } ?>",
    "<? if ($a > 1) echo \"<a href='x y'>\" ?>",
    "<?= a() > 1 ? '<a href=\"x|y\">' : '' ?>",
    "<cfoutput><a href='#f( a, g( \"x y\" ) )#'><a href='##top'></cfoutput>",
    "<CFOutput query=x>\n<a href='##a'><A HREF='p.cfm?x=#y#&z'></CFOUTPUT>",
    "<cfoutput><a href='#f(x & '>",
    "<% if a > b %><a href='/x'><% puts \"<a href='x y'>\" %>",
    "{{ '<a href=\"x y\">' }}",
    "{% set a = '<a href=\"x y\">' %}",
    "<?php echo '<a href=\"x y\">'; /* no end */",
])  # fmt: skip
def test_program_text_is_not_rewritten(page: str) -> None:
    source = META + page
    assert rewritten(source)[0] == source


def test_what_stands_around_code_is_rewritten() -> None:
    page = (
        META
        + "<a href='x y'><?php if ($a->b): ?><a href='x y' class='<?= $a->b ?>'><?php endif ?>"
        + "<a <?= $c ?> href='x y'><a href='x y'>{{ \"<a href='x y'>\" }}<a href='x y'>"
    )
    new, report = rewritten(page)
    assert report.changed == 4
    assert new.count("'x y'") == 2
    assert new.count("href='x y'>{{ \"<a href='x y'>\" }}") == 0


#: Openings of no template: TeX, formats of Apache, and code with colours.
NO_TEMPLATES = [
    "\\def\\x#1{%\n  \\y}\n\\z%",
    "\\def\\x#1#2{%\\y}",
    "\\x#1{%\n{\\catcode`\\^^M=10}%}",
    "-\\markup{{\\bold italic} x}}",
    "{{1996,11,6},{13,45,17}}",
    "[{{channel,1},\n  0}]",
    "{{Y, M, D}, ...}",
    "{{timeout, Name :: <b>term()</b>}, x}",
    "<i>/* {{{ x */</i> ",
    "<i>// {{{</i>",
    "%{%-format}t %}",
    "ok234 {%{REQUEST_STATUS} =~ /^[234]/} %}",
    "{%REQUEST_STATUS} %}",
    "<span>{%</span> <b>if</b> x <span>%}</span>",
]
#: Openings of templates, with and without an end; a link follows.
TEMPLATE_TAGS = [
    "{% x ", "{%x ", "{%- x ", "{%-x ", "{%+ if ", "{%~ if ", "{%\n\n  set x = '", "{%if(", "{% # note ", "{% /card ", "{% \xe9 ",
    "{%" + " " * 99, "{%" + "x" * 99, "{% $x ", "{{", "{{-", "{{ '", "{{{", "{{~#if", "{{< figure ", "{{!-- ",
    "{{ a < b ", "{{ ", "{{{ a <3 ", "{{ '<b>' ", "{{! a } ", "{{/* a } */ ", "{{ {a} ", "{{ '}' ", "{{ `}` ", "{{ " + "x" * 99 + "} ",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_TEMPLATES)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_text_that_no_engine_takes_for_code_is_none(text: str, size: int) -> None:
    page = f"{META}<pre>{text}</pre><a href='x y'>".encode()
    rewriter = linkfix.Rewriter()
    new = b"".join(rewriter.feed(page[at : at + size]) for at in range(0, len(page), size))
    assert new + rewriter.close() == page.replace(b"x y", b"x%20y")


@pytest.mark.parametrize("text", TEMPLATE_TAGS)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_what_follows_the_beginning_of_a_tag_is_left(text: str, size: int) -> None:
    page = f"{META}<p>{text}<a href='x y'>".encode()
    rewriter = linkfix.Rewriter()
    new = b"".join(rewriter.feed(page[at : at + size]) for at in range(0, len(page), size))
    assert new + rewriter.close() == page


@pytest.mark.parametrize("text", [text for text in NO_TEMPLATES if "%}" in text or "}}" in text])
def test_engines_refuse_that_text_or_leave_it(text: str) -> None:
    jinja2: Any = pytest.importorskip("jinja2", reason="Jinja (extra test) is not installed")
    django: Any = pytest.importorskip(
        "django.template", reason="Django (extra test) is not installed"
    )
    liquid: Any = pytest.importorskip(
        "liquid", reason="python-liquid (extra test) is not installed"
    )
    engines: list[tuple[Callable[[], str], type[Exception]]] = [
        (lambda: jinja2.Environment().from_string(text).render(), jinja2.TemplateSyntaxError),
        (lambda: liquid.Environment().from_string(text).render(), liquid.exceptions.LiquidSyntaxError),
        (lambda: django.Engine().from_string(text).render(django.Context()), django.TemplateSyntaxError),
    ]  # fmt: skip
    for render, error in engines:
        with contextlib.suppress(error):
            assert render() == text


def test_what_is_markup_in_a_block_is_rewritten() -> None:
    code = "<CFOUTPUT><a href='x y'><a href='x y##z'></CFOUTPUT></html>"
    page = META + f"<cf-x><a href='x y#z#'>{code}<a href='##a'>"
    new = page.replace("'x y#z#'", "'x%20y#z%23'").replace("'x y'", "'x%20y'")
    assert rewritten(page)[0] == new.replace("'##a'", "'#%23a'")


def test_a_stray_mark_costs_little() -> None:
    page = META + "<script>'{{'</script>" + "<p>" + "." * 5000 + "</p><a href='x y'>"
    assert rewritten(page)[1].changed == 1
    assert rewritten(META + "<script>'{{'</script><a href='x y'>")[1].changed == 0
    styles = META + "<style>@media print{#a{color:red}}</style><a href='x y'>"
    assert rewritten(styles)[1].changed == 1
    xml = META + "<?xml:namespace prefix = o /><a href='x y'>"
    assert rewritten(xml)[1].changed == 1


@pytest.mark.parametrize(
    ("value", "spans"),
    [
        ("[[ a [[b]] c", [(5, 10)]),
        ("[[[x]]y", [(0, 6)]),
        ("{# a {#b#} c", [(5, 10)]),
        ("a[[x]]b[[y]]", [(1, 6), (7, 12)]),
        ("[[" * 3, []),
    ],
)
def test_an_expression_that_needs_its_end_begins_at_the_last_mark(
    value: str, spans: list[tuple[int, int]]
) -> None:
    assert TEMPLATES.expressions(value) == spans


def test_templates_in_json() -> None:
    page = (
        META + '<script type="application/ld+json">{"@type": "SearchAction", '
        '"target": "https://q.example/search?q={search_term_string}", "url": "https://q.example/a b",'
        '"potentialAction": {"target": {"urlTemplate": "https://q.example/{x} y"}, "image": "{{ x }}"}}</script>'
    )
    new, report = rewritten(page, Policy(scope=Scope(embedded=(("json-ld", "on"),))))
    assert new == page.replace("/a b", "/a%20b")
    assert report.changed == 1


def test_templates_in_style_sheets_and_xml() -> None:
    sheet = "a { background: url('{{ base }}/a b.png') } b { background: url('x y') }"
    assert rewritten(sheet, type="css")[0] == sheet.replace("x y", "x%20y")
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><a href="{{ x }}/a b"/><a href="x y"/></svg>'
    assert rewritten(svg, type="xml")[0] == svg.replace("x y", "x%20y")


def test_marks_of_the_user() -> None:
    page = META + '<a href="~~ x ~~/a b">x</a><a href="/a b">x</a>'
    assert rewritten(page)[1].changed == 2
    policy = Policy(scope=Scope(templates=Templates((Mark.parse("~~ ~~"),))))
    assert rewritten(page, policy)[1].changed == 1
    for wrong in ("", "{{", "a b c"):
        with pytest.raises(ValueError, match="pair of marks"):
            Mark.parse(wrong)


def test_a_base_that_is_a_template_is_no_base() -> None:
    page = META + '<base href="{{ base }}"><a href="x">x</a><a href="http://old.example/y">'
    policy = Policy(target=lambda uri: uri.replace("old", "new"), style="keep")
    new, _ = rewritten(page, policy, base="http://old.example/")
    assert new == page.replace("http://old", "http://new")


@pytest.mark.parametrize(
    ("value", "new"),
    [
        ("{{ base }}/a b.png", "{{ base }}/a%20b.png"),
        ("/a b/{{ id }}?q=ж", "/a%20b/{{ id }}?q=%D0%B6"),
        ("{{ a }}/b c/{{ d e }}|f", "{{ a }}/b%20c/{{ d e }}%7Cf"),
        ("/|{% url 'x y' %}|", "/%7C{% url 'x y' %}%7C"),
        ("/<{% url 'x y' %}>", None),
        ("${a} b", "${a}%20b"),
        ("[% a %]/b c", "[% a %]/b%20c"),
        ("/a b/{c}/d|e", "/a%20b/{c}/d%7Ce"),
        ("<?js= a > b ?>/c d", "<?js= a > b ?>/c%20d"),
        ("<?= $a ?>/a b", "<?= $a ?>/a%20b"),
        # More than percent-encoding, or what only one component encodes so: left.
        ("{{ a }}\\b c", None),
        (" {{ a }}", None),
        ("{{ a }}%b c", None),
        ("{{ a }}[1] b", None),
        ("{{ a }}/b c {{ d", None),
        ("{{ a }}/{b c", None),
        ("/a b/[% c", None),
        ("http://{{ host }}.bücher.example/a b", None),
        ("http://{{ host }}/a b", "http://{{ host }}/a%20b"),
    ],
)
def test_literal_parts_are_converted_on_request(value: str, new: str | None) -> None:
    page = f'{META}<a href="{value}">x</a>'
    assert rewritten(page, CONVERT)[0] == (page if new is None else f'{META}<a href="{new}">x</a>')


def test_in_a_legacy_charset_only_ascii_is_converted() -> None:
    out = io.BytesIO()
    page = '<meta charset=windows-1251><a href="{{ a }}?q=ж b"><a href="{{ a }}?q= b">'
    linkfix.rewrite(page.encode("windows-1251"), out, policy=CONVERT)
    assert out.getvalue().decode("windows-1251") == page.replace("?q= b", "?q=%20b")


@given(st.integers(0, 2**32), st.sampled_from(["utf-8", "utf-16"]))
def test_chunks_make_no_difference(seed: int, encoding: str) -> None:
    choose = random.Random(seed)
    pieces = [
        "{{", "}}", "{%", "{% x", "%}", "\\", "{", "<?php ", "<?=", "<? ", "?>", "<%", "%>", "<a href='x y'>", "<a href='{{ b }} c'>",
        '<a href="{{ u("x y") }}">', ".", "x" * 5000, "\n",
    ]  # fmt: skip
    page = (META + "".join(choose.choices(pieces, k=30))).encode(encoding)
    out = io.BytesIO()
    linkfix.rewrite(page, out)
    rewriter = linkfix.Rewriter()
    new, position = b"", 0
    while position < len(page):
        size = choose.choice([1, 2, 3, 50, 5000])
        new += rewriter.feed(page[position : position + size])
        position += size
    assert new + rewriter.close() == out.getvalue()
    again = io.BytesIO()
    linkfix.rewrite(out.getvalue(), again)
    assert again.getvalue() == out.getvalue()


def test_reasons() -> None:
    page = (
        META + '<a href="{{ x }}"><?php echo "<a href=\'x y\'>" . $a->b . "<a href=\'x y\'>"'
    ).encode()
    stream = linkfix.LinkStream()
    links = stream.feed(page) + stream.close()
    assert [link.fixed for link in links] == [IS_TEMPLATE, IN_CODE]
    assert TEMPLATES.expressions("a{{b}}c${d{e}f}g") == [(1, 6), (7, 15)]


def test_trees_leave_templates() -> None:
    import lxml.html

    from linkfix import trees

    tree = lxml.html.document_fromstring('<a href="{{ x }}/a b">x</a><a href="a b">y</a>')
    assert trees.rewrite_links(tree) == 1
    assert [a.get("href") for a in tree.iter("a")] == ["{{ x }}/a b", "a%20b"]
    tree = lxml.html.document_fromstring('<a href="{{ x }}/a b">x</a>')
    assert trees.rewrite_links(tree, policy=CONVERT) == 1


@pytest.mark.parametrize(
    "piece",
    [
        '<a href="{{x}}/a b">',
        "<a href='/a'>{% if %}",
        "<a href='{{x}}/a b'>{% if %}",
        "{% if x %}<a href='/a b'>{% endif %}",
        "<a href='/a b'><?= x ?>",
        "{{<a href=x>",
    ],
)
def test_work_grows_as_the_templates(piece: str) -> None:
    assert growth(lambda count: rewritten(META + piece * count), 500) < 2.3


def test_work_grows_as_the_octets_in_doubt() -> None:
    piece = "<a href='/あ'>".encode("euc_jp") + b"\x8f\xa1 <p>"

    def read(count: int) -> None:
        linkfix.rewrite(b"<meta charset=euc-jp>" + piece * count, io.BytesIO())

    assert growth(read, 500) < 2.3
