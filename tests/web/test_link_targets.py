"""Where links of a text lead."""

import pytest

from app.web.link_targets import LONGEST
from app.web.markdown import markdown


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "///evil.example",
        "////evil.example/a",
        r"/\evil.example",
        r"\\evil.example",
        "/%5Cevil.example",
        "%5C%5Cevil.example",
        "/%2Fevil.example",
        "%2F%2Fevil.example",
        "%252F%252Fevil.example",
        "%25252525252F%25252525252Fevil.example",
        "/%09/evil.example",
        "/%0A/evil.example",
        "%00//evil.example",
        "&sol;&sol;evil.example",
        "&#47;&#47;evil.example",
        "/&Tab;/evil.example",
        "</\t/evil.example>",
        "<//evil.example>",
        "<  //evil.example>",
        "http:evil.example",
        "http:/evil.example",
        "https:///evil.example",
        r"https:\\evil.example",
        "javascript:alert(1)",
        "javascript%3Aalert(1)",
        "%6Aavascript:alert(1)",
        "java&Tab;script:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "mailto:a@b.example",
        "ftp://a.example",
        "errdex:../../etc",
        "errdex://evil.example",
        "http://" + "x" * LONGEST,
        "http://" + "中" * 64 + "/",
    ],
)
def test_no_link_leads_there(target: str) -> None:
    for body in (f"[x]({target})", f"[x]\n\n[x]: {target}", f"[x][]\n\n[X]: {target} 'y'"):
        assert "<a " not in markdown(body, "en")


@pytest.mark.parametrize(
    ("target", "href"),
    [
        ("https://a.example/b?c=//d#e", "https://a.example/b?c=//d#e"),
        ("HTTP://a.example", "HTTP://a.example"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
        ("https://a.example/%2F%5C", "https://a.example/%2F%5C"),
        ("https://例子.example/路", "https://xn--fsqu00a.example/%E8%B7%AF"),
        ("/en/e/verl/ray-timeline", "/en/e/verl/ray-timeline"),
        ("/zh/search?q=a//b:c", "/zh/search?q=a//b:c"),
        ("/a//b", "/a//b"),
        ("/100%25", "/100%25"),
        ("a%20b/c.html", "a%20b/c.html"),
        ("../b", "../b"),
        (r"\/en/", "/en/"),
        ("#fix", "#fix"),
        ("#//x", "#//x"),
        ("?page=2", "?page=2"),
        ("errdex:verl/ray-timeline", "/en/e/verl/ray-timeline"),
        ("ERRDEX:verl/ray-timeline", "/en/e/verl/ray-timeline"),
    ],
)
def test_a_link_leads_there(target: str, href: str) -> None:
    assert f'href="{href}"' in markdown(f"[x]({target})", "en")
