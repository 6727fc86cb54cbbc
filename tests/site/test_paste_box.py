"""The paste box in a real browser: what is masked before it is sent, and log files."""

import gzip
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import Browser, Page, expect

from app.config import ROOT
from app.i18n import Lang
from app.i18n import text as t
from tests.site.acts import IN_BOTH_LANGUAGES, RACE

pytestmark = pytest.mark.browser

TOKEN = "hf_" + "MadeUp" * 6 + "0"
PASTE = f"""\
mila@dgx-03:~/run$ HF_TOKEN={TOKEN} python main.py
  File "/home/mila/main.py", line 3, in run
GreenhouseValveError: /home/mila/valve is frozen, ask otto@kestrel.io
"""
LOG = (ROOT / "content/roll/torch-compile-cache-race/examples/interleaved-workers.txt").read_text(encoding="utf-8")
STEP = "2026-11-20 10:00:00 INFO step {n} done, loss 0.123, lr 1e-6, tokens per second 4000\n"


@pytest.fixture
def lang() -> Lang:
    """The language of the page, for tests that do not depend on it."""
    return "en"


@pytest.fixture
def box(browser: Browser, address: str, lang: Lang) -> Iterator[Page]:
    """The home page with its script, and the bodies of the forms that it sends in `sent`."""
    with closing(browser.new_context()) as context:
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        page.on("console", lambda said: pytest.fail(said.text) if said.type == "error" else None)
        page.goto(f"{address}/{lang}/")
        yield page


def sent(page: Page) -> str:
    """Press the button; what went to the server."""
    with page.expect_request(lambda request: request.method == "POST") as posted:
        page.click("form.paste button.main")
    page.wait_for_url("**/match")
    expect(page.locator(".verdict")).to_be_visible()
    return unquote_plus((posted.value.post_data_buffer or b"").decode())


def choose(page: Page, name: str, content: bytes) -> None:
    """Choose a file as a person does, with the content given."""
    page.set_input_files("#paste-file", {"name": name, "mimeType": "text/plain", "buffer": content})


def big(folder: Path, megabytes: int, middle: str = LOG, encoding: str = "utf-8") -> Path:
    """A log of about this size with an error in its middle."""
    path = folder / "train.log"
    half = "".join(STEP.format(n=n) for n in range(megabytes * 1024 * 1024 // len(STEP) // 2))
    path.write_text(f"{half}{middle}{half}the last line\n", encoding=encoding)
    return path


@IN_BOTH_LANGUAGES
def test_secrets_never_leave_the_page(box: Page, lang: Lang) -> None:
    box.fill("#paste", PASTE)
    expect(box.locator(".secrets summary")).to_contain_text(t(lang, "paste.page.found", n=4, list=""))
    for kind in ("token", "user", "host", "email"):
        expect(box.locator(".secrets summary")).to_contain_text(t(lang, f"paste.page.{kind}", n=1))
    body = sent(box)
    for secret in (TOKEN, "mila", "otto", "dgx-03"):
        assert secret not in body
    assert "<USER#1>@<HOST#1>:~/run$ HF_TOKEN=<TOKEN#1>" in body
    assert "/home/<USER#1>/main.py" in body
    assert t(lang, "paste.notice", n=4) not in box.inner_text("main")


@IN_BOTH_LANGUAGES
def test_a_single_finding_is_switched_off(box: Page, lang: Lang) -> None:
    box.fill("#paste", PASTE)
    box.click(".secrets summary")
    box.get_by_label("otto@kestrel.io").uncheck()
    expect(box.locator(".secrets summary")).to_contain_text(t(lang, "paste.page.found", n=3, list=""))
    body = sent(box)
    assert "otto@kestrel.io" in body
    assert TOKEN not in body


@IN_BOTH_LANGUAGES
def test_masking_is_switched_off_as_a_whole(box: Page, lang: Lang) -> None:
    box.fill("#paste", PASTE)
    box.click(".secrets summary")
    box.get_by_label(t(lang, "paste.page.mask")).uncheck()
    expect(box.locator(".secrets summary")).to_have_text(t(lang, "paste.page.off"))
    assert TOKEN in sent(box)
    assert t(lang, "paste.notice", n=4) not in box.inner_text("main")


def test_a_credential_is_not_shown_whole_in_the_list(box: Page) -> None:
    box.fill("#paste", PASTE)
    box.click(".secrets summary")
    expect(box.locator(".secrets")).to_contain_text("hf_…p0")
    assert TOKEN not in box.inner_text(".secrets")


def test_the_list_goes_when_the_text_is_edited(box: Page) -> None:
    box.fill("#paste", PASTE)
    expect(box.locator(".secrets")).to_be_visible()
    box.fill("#paste", "ValueError: plain")
    expect(box.locator(".secrets")).to_be_hidden()


@IN_BOTH_LANGUAGES
def test_the_list_does_not_push_the_button_away(box: Page, lang: Lang) -> None:
    expect(box.locator(".masking p").first).to_have_text(t(lang, "paste.page.ready"))
    before = box.locator("form.paste button.main").bounding_box()
    box.fill("#paste", PASTE)
    expect(box.locator(".secrets")).to_be_visible()
    assert box.locator("form.paste button.main").bounding_box() == before


def test_the_button_for_a_file_stands_beside_the_one_that_sends(box: Page) -> None:
    places = [box.locator(one).bounding_box() for one in ("form.paste button.main", ".choose .button")]
    send, file = (place["y"] + place["height"] / 2 for place in places if place)
    assert abs(send - file) <= 2


def test_the_box_has_the_focus_and_keys_send_it_masked(box: Page) -> None:
    expect(box.locator("#paste")).to_be_focused()
    box.fill("#paste", PASTE)
    with box.expect_request(lambda request: request.method == "POST") as posted:
        box.keyboard.press("Control+Enter")
    assert TOKEN not in (posted.value.post_data or "")
    box.wait_for_url("**/match")
    expect(box.locator(".verdict")).to_be_visible()
    box.go_back()
    expect(box.locator("#paste")).to_have_value(PASTE)


@IN_BOTH_LANGUAGES
def test_without_the_rules_the_server_masks_and_says_so(box: Page, address: str, lang: Lang) -> None:
    box.route("**/secret-rules.json*", lambda route: route.fulfill(body="out of order"))
    box.goto(f"{address}/{lang}/")
    box.fill("#paste", PASTE)
    sent(box)
    assert t(lang, "paste.notice", n=4) in box.inner_text("main")
    assert TOKEN not in box.inner_text("main")


@IN_BOTH_LANGUAGES
def test_a_small_file_goes_into_the_box_as_it_is(box: Page, lang: Lang) -> None:
    choose(box, "train.log", LOG.replace("\n", "\r\n").encode())
    said = t(lang, "paste.page.whole", name="train.log", n=len(LOG.splitlines()))
    expect(box.locator(".reading")).to_have_text(said)
    assert box.input_value("#paste") == LOG
    sent(box)
    assert box.locator(".answer.first h2 a").get_attribute("href") == f"/{lang}{RACE}"


def test_the_file_is_reached_by_the_keyboard(box: Page) -> None:
    box.focus("form.paste button.main")
    box.keyboard.press("Tab")
    expect(box.locator("#paste-file")).to_be_focused()


@IN_BOTH_LANGUAGES
def test_of_a_large_file_the_telling_lines_are_taken(box: Page, tmp_path: Path, lang: Lang) -> None:
    box.set_input_files("#paste-file", big(tmp_path, 40))
    taken = re.escape(t(lang, "paste.page.taken.other", size="SIZE", n="LINES"))
    expect(box.locator(".reading")).to_have_text(
        re.compile(taken.replace("SIZE", r"\d+ MB").replace("LINES", r"\d+")), timeout=30_000
    )
    text = box.input_value("#paste")
    assert len(text) < 400_000
    assert "OSError: [Errno 16] Device or resource busy" in text
    assert text.startswith(STEP.format(n=0))
    assert text.endswith("the last line")
    gap = re.escape(t(lang, "paste.page.gap.other", n="LINES")).replace("LINES", r"[\d,]+")
    assert len(re.findall(gap, text)) == 2
    sent(box)
    assert box.locator(".answer.first h2 a").get_attribute("href") == f"/{lang}{RACE}"


@IN_BOTH_LANGUAGES
def test_a_file_without_an_error_gives_its_beginning_and_end(box: Page, tmp_path: Path, lang: Lang) -> None:
    box.set_input_files("#paste-file", big(tmp_path, 3, ""))
    expect(box.locator(".reading")).to_have_text(t(lang, "paste.page.no-errors", size="3.1 MB"))
    assert box.input_value("#paste").count("\n") < 120


def test_reading_can_be_stopped(box: Page, tmp_path: Path) -> None:
    box.fill("#paste", "mine")
    # a disk that does not come to the end of the file: the third slice waits until somebody has stopped
    box.evaluate("""() => {
        const read = Blob.prototype.arrayBuffer;
        let slices = 0;
        Blob.prototype.arrayBuffer = async function () {
            slices += 1;
            if (slices === 3) await new Promise((go) => { window.answer = go; });
            return read.call(this);
        };
    }""")
    box.set_input_files("#paste-file", big(tmp_path, 45))
    box.wait_for_function("() => window.answer")
    box.get_by_role("button", name="Stop").click()
    box.evaluate("window.answer()")
    expect(box.locator(".reading")).to_contain_text("Stopped.")
    assert box.input_value("#paste") == "mine"


@pytest.mark.parametrize("encoding", ["utf-16", "gb18030", "utf-8"])
@pytest.mark.parametrize("megabytes", [0, 6])
def test_chinese_logs_are_read_in_their_encoding(box: Page, tmp_path: Path, encoding: str, megabytes: int) -> None:
    box.set_input_files("#paste-file", big(tmp_path, megabytes, "RuntimeError: 训练时显存不足，任务失败\n", encoding))
    expect(box.locator("#paste")).to_have_value(re.compile("训练时显存不足，任务失败"), timeout=30_000)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("train.log.gz", gzip.compress(LOG.encode()), "paste.packed"),
        ("model.bin", b"\x7fELF\0\0\0", "paste.binary"),
        ("empty.log", b"", "paste.page.empty"),
    ],
)
@IN_BOTH_LANGUAGES
def test_a_file_that_is_no_log_is_told_what_to_do(box: Page, name: str, content: bytes, said: str, lang: Lang) -> None:
    box.fill("#paste", "mine")
    choose(box, name, content)
    expect(box.locator(".reading")).to_have_text(t(lang, said))
    assert box.input_value("#paste") == "mine"


def test_a_file_is_dropped_on_the_box(box: Page) -> None:
    carried = box.evaluate_handle(
        """(text) => {
            const carried = new DataTransfer();
            carried.items.add(new File([text], "dropped.log"));
            return carried;
        }""",
        LOG,
    )
    box.dispatch_event("#paste", "dragenter", {"dataTransfer": carried})
    expect(box.locator("form.paste.over")).to_be_visible()
    box.dispatch_event("#paste", "drop", {"dataTransfer": carried})
    expect(box.locator(".reading")).to_contain_text("dropped.log is in the box")
    assert box.input_value("#paste") == LOG


@IN_BOTH_LANGUAGES
def test_a_paste_over_the_limit_is_cut_to_what_tells(box: Page, lang: Lang) -> None:
    # as on a server with a small limit; a box with 16 MiB in it takes the browser half a minute
    box.add_init_script("""document.addEventListener("readystatechange", () => {
        document.querySelector("form.paste")?.setAttribute("data-most", "100000");
    })""")
    box.reload()
    box.evaluate("text => { document.querySelector('#paste').value = text; }", STEP.format(n=1) * 1_500 + LOG)
    box.click("form.paste button.main")
    told = re.escape(t(lang, "paste.page.shortened.other", size="SIZE", n="LINES"))
    expect(box.locator(".reading")).to_have_text(re.compile(told.replace("SIZE", r"\d+ KB").replace("LINES", r"\d+")))
    assert "OSError: [Errno 16]" in box.input_value("#paste")
    sent(box)
    assert box.locator(".answer.first h2 a").get_attribute("href") == f"/{lang}{RACE}"


def test_a_file_is_sent_without_javascript(browser: Browser, address: str) -> None:
    with closing(browser.new_context(java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto(f"{address}/en/")
        choose(page, "train.log", LOG.encode("gb18030"))
        page.click("form.paste button.main")
        expect(page.locator(".answer.first h2 a")).to_have_attribute("href", f"/en{RACE}")
