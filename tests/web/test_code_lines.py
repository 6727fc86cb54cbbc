"""Where a command may break: a table, and what must stay as it is."""

import re

import pytest
from markupsafe import Markup

from app.web.code_lines import with_whole_words
from app.web.markdown import markdown

LONG = "python train.py --gpu-memory-utilization 0.6 trainer.n_gpus_per_node=8"
WRAPPED = {
    LONG: ["--gpu-memory-utilization"],
    "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True,max-split:128": [
        "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True,max-split:128"
    ],
    "cat /var/log/syslog &amp;&amp; grep -i oom": ["/var/log/syslog", "&amp;&amp;", "-i"],
    'run <span class="s2">"one two-three"</span><span class="p">/x</span> and more words': [
        '<span class="s2">two-three"</span><span class="p">/x</span>'
    ],
}


@pytest.mark.parametrize(("line", "words"), WRAPPED.items())
def test_a_word_that_could_break_is_kept_whole(line: str, words: list[str]) -> None:
    made = with_whole_words(line)
    assert re.findall(r'<span class="word">((?:<span.*?</span>|[^<])*)</span>', made) == words
    assert Markup(made).striptags() == Markup(line).striptags()


@pytest.mark.parametrize("line", ["", "rm -rf --one-file x", "    ", "a\nb\n"])
def test_what_cannot_break_within_a_word_is_left(line: str) -> None:
    assert with_whole_words(line) == line


def test_only_a_long_line_is_marked_and_its_end_goes_with_it() -> None:
    long = "a line of words without any of those signs in it"
    assert with_whole_words(f"ls\n{long}\nls\n") == f'ls\n<span class="long">{long}\n</span>ls\n'


def test_the_text_of_a_command_is_the_one_that_was_written() -> None:
    html = markdown(f"```bash\n{LONG} \\\n  --a-flag=1  # why-not\n```\n", "en")
    assert '<pre class="wraps">' in html
    assert Markup(re.sub(r"<[^>]+>", "", html)).unescape() == f"{LONG} \\\n  --a-flag=1  # why-not\n\n"


@pytest.mark.parametrize("language", ["python", "yaml", "json"])
def test_lines_whose_beginning_means_something_are_not_broken(language: str) -> None:
    html = markdown(f"```{language}\n{LONG}\n```", "en")
    assert "wraps" not in html
    assert "word" not in html
