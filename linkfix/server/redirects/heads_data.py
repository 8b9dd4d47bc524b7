"""What tables of redirects begin with: comments that say how a server reads them."""

NGINX = """\
# Redirects for nginx. In the http block:
#
#     map_hash_max_size %d;
#     map_hash_bucket_size %d;
#     map $uri $moved_to { include /path/of/this/file; }
#
# and in the server block:
#
#     if ($moved_to) { return 301 $moved_to$is_args$args; }
"""
APACHE = """\
# Redirects for Apache. In the server's configuration:
#
#     RewriteEngine On
#     RewriteMap escaped int:escape
#     RewriteMap moved "txt:/path/of/this/file"
#     RewriteCond "${moved:${escaped:%{REQUEST_URI}}}" "(.+)"
#     RewriteRule ^ "%1" [R=301,L,NE]
"""
APACHE_MORE = """\
#
# Redirects that no such map can have are in another file, which is to be included behind these:
#
#     Include "/path/of/this/file.conf"
"""
#: What the rules begin with.
RULES_HEAD = {
    "apache": b"""\
# Redirects for Apache that no map can have: they are too long, or have a query. Behind the lines for the map:
#
#     Include "/path/of/this/file"
""",
    "nginx": b"""\
# Redirects for nginx of addresses with a query. In the http block, behind the map of paths:
#
#     map $request_uri $asked_to { include /path/of/this/file; }
#
# and in the server block, before the line with $moved_to:
#
#     if ($asked_to) { return 301 $asked_to; }
""",
}
CADDY = """\
# Redirects for Caddy. In the block of the site:
#
#     import /path/of/this/file
#
map {uri} {moved_to} {
ROWS\tdefault ""
}
@moved not vars {moved_to} ""
redir @moved {moved_to} 301
"""
IIS = """\
<?xml version="1.0" encoding="utf-8"?>
<!-- Redirects for IIS with its module URL Rewrite: the web.config of the root of the site, or a part of it. -->
<configuration><system.webServer><rewrite><rules>
ROWS</rules></rewrite></system.webServer></configuration>
"""
IIS_RULE = """\
<rule name="moved {}" stopProcessing="true"><match url=".*"/><conditions><add input="{{UNENCODED_URL}}" pattern={} ignoreCase="false"/>\
</conditions><action type="Redirect" url={} redirectType="Permanent" appendQueryString="false"/></rule>
"""
