"""Which code is coloured."""

import pytest
from pygments.lexers import find_lexer_class_by_name

from app.config import ROOT
from app.content.outline import outline
from app.web.highlighting import (
    LEXERS,
    LONGEST_GAP,
    LONGEST_LINE,
    MOST_A_FENCE,
    MOST_A_TEXT,
    MOST_FENCES,
    MOST_TOKENS_A_FENCE,
    Palette,
    lexers,
)
from app.web.markdown import markdown

BODIES = sorted((ROOT / "content").glob("*/*/*.md"))


def coloured(code: str, language: str = "bash") -> bool:
    return "<span" in Palette().spans(code, language)


def test_every_language_of_a_shipped_entry_is_coloured() -> None:
    blocks = {block for path in BODIES for block in outline(path.read_text(encoding="utf-8")).blocks}
    named = [block for block in blocks if block.language not in ("", "text")]
    assert len(named) > 400
    # code of one plain word has no colours in any lexer
    assert [block for block in named if " " in block.text and not coloured(block.text, block.language)] == []


@pytest.mark.parametrize("language", LEXERS, ids=lambda language: language.names[0])
def test_each_name_is_one_that_pygments_knows_too(language: tuple[tuple[str, ...]]) -> None:
    names = language[0]
    assert {lexers()[name].name for name in names} == {find_lexer_class_by_name(names[0]).name}


@pytest.mark.parametrize("language", ["autohotkey", "autoit", "perl", "batch", "pytb", "console", "docker", "go", "js"])
def test_a_language_whose_lexer_can_be_slow_is_shown_without_colours(language: str) -> None:
    assert Palette().spans('x = "1" # &', language) == "x = &#34;1&#34; # &amp;"


@pytest.mark.parametrize(
    ("within", "over"),
    [
        ("echo a\n" * (MOST_A_FENCE // 10), "echo a\n" * (MOST_A_FENCE // 7 + 1)),
        ("echo " + "a" * (LONGEST_LINE - 5), "echo " + "a" * (LONGEST_LINE - 4)),
        ("echo" + " " * LONGEST_GAP + "a", "echo" + " " * (LONGEST_GAP + 1) + "a"),
        ("echo" + "\n " * (LONGEST_GAP // 2) + "a", "echo" + "\n " * (LONGEST_GAP // 2 + 1) + "a"),
        ("echo $\n" + "a;\n" * (MOST_TOKENS_A_FENCE // 3 - 5), "echo $\n" + ";\n" * (MOST_TOKENS_A_FENCE // 2)),
    ],
    ids=["long code", "a long line", "a wide gap", "a high gap", "many words"],
)
def test_code_over_a_limit_is_plain_and_whole(within: str, over: str) -> None:
    assert coloured(within)
    assert Palette().spans(over, "bash") == over


def test_the_code_of_a_text_is_coloured_up_to_a_limit_and_what_follows_is_plain() -> None:
    fence = "```bash\necho " + "a" * 985 + "\n```\n"
    html = markdown(fence * (MOST_A_TEXT // 1000 + 20), "en")
    assert 40 < html.count('<span class="nb">echo</span>') <= MOST_A_TEXT // 985
    assert html.count("echo") == MOST_A_TEXT // 1000 + 20


def test_so_many_fences_are_coloured_and_no_more() -> None:
    html = markdown("```bash\nexit 1\n```\n\nSome words between them, to keep the lines long enough.\n\n" * 240, "en")
    assert html.count('<span class="nb">exit</span>') == MOST_FENCES
    assert html.count("exit") == 240


@pytest.mark.parametrize(
    "code",
    [
        "echo $'a\\n\\'b\\0177'",
        "cat <<EOF > a\nb $c\nEOF\necho",
        "cat <<-'EOF'\n\ta\n\tEOF\n",
        'echo "a \\" b" "$c"',
        "a=$'\\\\'",
    ],
)
def test_a_mended_lexer_gives_the_tokens_of_the_published_one(code: str) -> None:
    published = find_lexer_class_by_name("bash")(stripnl=False)
    assert list(lexers()["bash"].get_tokens(code)) == list(published.get_tokens(code))
