"""Every action that the pages offer is named here with the browser tests that do it: a new one is not forgotten."""

import re
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from app.config import ROOT
from app.i18n import LANGS
from tests.site.pages import PAGES, Furnished, Known

# (template, address as it stands there) and what people do with it, as tests in both languages
SENT = {
    ("_feedback.html", "{{ page.entry(feedback.slug) }}/feedback"): (
        "test_a_reader_says_what_is_wrong_and_a_reviewer_marks_the_note_as_read",
        "test_the_keys_send_a_note",
        "test_a_word_that_does_not_get_through_is_said_again",
    ),
    ("_entry_form.html", "/{{ page.other }}{{ path }}"): (
        "test_what_was_typed_goes_along_into_the_other_language",
        "test_a_submission_is_amended_published_and_told_to_its_author",
    ),
    ("_entry_form.html", "{{ action }}/rows#f-{{ key }}-{{ there|length + 1 }}"): (
        "test_a_form_is_given_rows_and_holds_every_fact",
    ),
    ("_entry_form.html", "{{ action }}/check#held"): ("test_a_form_is_looked_over_and_shown_before_it_is_sent",),
    ("_entry_form.html", "{{ action }}/preview#preview"): ("test_a_form_is_looked_over_and_shown_before_it_is_sent",),
    ("_entry_form.html", "{{ action }}/preview"): (
        "test_a_form_is_looked_over_and_shown_before_it_is_sent",
        "test_the_page_follows_what_is_typed_beside_the_form_or_in_its_place",
    ),
    ("_new_name.html", "{{ action }}/rows#f-new_{{ named }}_en-{{ there|length + 1 }}"): (
        "test_a_project_and_a_tag_are_named_in_the_form_of_an_entry_and_shown_by_their_names",
    ),
    ("name.html", '{{ page.url("/names/" + kind) }}'): (
        "test_a_reviewer_corrects_a_name_and_removes_it",
        "test_a_family_is_made_and_asks_its_question",
    ),
    ("name.html", '{{ page.url("/names/" + kind + "/remove") }}'): ("test_a_reviewer_corrects_a_name_and_removes_it",),
    ("name.html", '{{ page.url("/names/" + kind + "/rows") }}'): ("test_a_family_is_made_and_asks_its_question",),
    ("_entry_form.html", '{{ page.url("/submit/answered") }}'): (
        "test_what_is_typed_is_kept_by_the_browser_until_it_is_sent",
    ),
    ("account.html", '{{ page.url("/account/language") }}'): (
        "test_a_person_changes_password_and_language_and_ends_sessions",
    ),
    ("account.html", '{{ page.url("/account/password") }}'): (
        "test_a_person_changes_password_and_language_and_ends_sessions",
    ),
    ("account.html", '{{ page.url("/account/sessions") }}'): (
        "test_a_person_changes_password_and_language_and_ends_sessions",
    ),
    ("account.html", '{{ page.url("/account/tokens") }}'): ("test_a_person_makes_a_token_and_revokes_it",),
    ("account.html", '{{ page.url("/account/tokens/" ~ one.id ~ "/revoke") }}'): (
        "test_a_person_makes_a_token_and_revokes_it",
    ),
    ("amend.html", "{{ action }}"): (
        "test_a_submission_is_amended_published_and_told_to_its_author",
        "test_of_two_who_amend_the_second_compares_and_saves_again",
        "test_who_amends_what_a_colleague_published_keeps_the_text",
        "test_the_keys_save_an_amendment",
    ),
    ("audit.html", '{{ page.url("/audit") }}'): ("test_who_did_what_is_filtered_and_turned_over",),
    ("base.html", '{{ page.url("/search") }}'): ("test_a_search_is_made_narrowed_down_and_turned_over",),
    ("base.html", '{{ page.url("/search/typing") }}'): ("test_the_box_of_every_page_suggests_or_searches",),
    ("base.html", '{{ page.url("/sign-out") }}'): ("test_a_reviewer_signs_in_at_the_second_try_and_out",),
    ("error.html", '{{ page.url("/search") }}'): ("test_an_address_that_leads_nowhere_has_ways_on",),
    ("error.html", "{{ kept.action }}"): (
        "test_a_form_that_could_not_be_taken_is_sent_again",
        "test_a_decision_written_after_the_session_ended_is_sent_after_signing_in",
    ),
    ("home.html", '{{ page.url("/match") }}'): (
        "test_a_paste_is_identified_and_seen_in_the_other_language",
        "test_an_empty_box_is_told_so",
        "test_a_log_file_is_sent",
    ),
    ("home.html", 'sent_on(page.url("/match"))'): ("test_every_sample_is_answered",),
    ("join.html", "{{ page.url(page.path) }}"): (
        "test_an_admin_invites_somebody_and_looks_after_them_until_they_leave",
    ),
    ("people.html", '{{ page.url("/people") }}'): (
        "test_an_admin_invites_somebody_and_looks_after_them_until_they_leave",
    ),
    ("person.html", '{{ page.url("/people/" ~ person.id ~ "/remove") }}'): (
        "test_an_admin_invites_somebody_and_looks_after_them_until_they_leave",
    ),
    ("person.html", '{{ page.url("/people/" ~ person.id ~ "/reset") }}'): (
        "test_an_admin_invites_somebody_and_looks_after_them_until_they_leave",
    ),
    ("person.html", '{{ page.url("/people/" ~ person.id ~ "/role") }}'): (
        "test_an_admin_invites_somebody_and_looks_after_them_until_they_leave",
    ),
    ("person.html", '{{ page.url("/people/" ~ person.id ~ "/sessions") }}'): (
        "test_an_admin_invites_somebody_and_looks_after_them_until_they_leave",
    ),
    ("person.html", '{{ page.url("/people/" ~ person.id ~ "/state") }}'): (
        "test_an_admin_invites_somebody_and_looks_after_them_until_they_leave",
    ),
    ("result.html", '{{ page.url("/submit/draft") }}'): ("test_an_unknown_error_is_described",),
    ("result.html", "/{{ page.other }}/match"): ("test_a_paste_is_identified_and_seen_in_the_other_language",),
    ("review.html", '{{ page.url("/review/" ~ row.id ~ "/approve") }}'): (
        "test_a_submission_is_amended_published_and_told_to_its_author",
        "test_who_publishes_what_a_colleague_published_keeps_the_note",
        "test_who_publishes_what_a_colleague_declined_publishes_nothing",
        "test_who_publishes_what_a_colleague_amended_reads_it_first_and_publishes_that",
        "test_of_two_new_entries_with_one_name_the_second_is_amended_into_a_change",
        "test_enter_in_the_note_publishes",
    ),
    ("review.html", '{{ page.url("/review/" ~ row.id ~ "/rules") }}'): (
        "test_a_submitter_is_asked_for_changes_and_answers",
    ),
    ("review.html", '{{ page.url("/review/" ~ row.id ~ "/return") }}'): (
        "test_a_submitter_is_asked_for_changes_and_answers",
    ),
    ("review_queue.html", '{{ page.url("/review") }}'): ("test_a_submitter_is_asked_for_changes_and_answers",),
    ("review.html", '{{ page.url("/review/" ~ row.id ~ "/reject") }}'): (
        "test_a_submission_is_declined_with_a_reason_and_sent_again",
        "test_who_declines_what_a_colleague_published_keeps_the_reason",
        "test_who_declines_what_a_colleague_amended_reads_it_first_and_declines_that",
        "test_the_keys_in_the_reason_decline",
    ),
    ("review_feedback.html", '{{ page.url("/review/feedback/" ~ row.id ~ "/seen") }}{{ page.query }}'): (
        "test_a_reader_says_what_is_wrong_and_a_reviewer_marks_the_note_as_read",
        "test_a_note_that_was_written_anew_meanwhile_stays_unread",
    ),
    ("revision.html", '{{ page.url(address ~ "/" ~ row.number ~ "/restore") }}'): (
        "test_an_entry_is_changed_and_its_first_text_restored",
        "test_a_withdrawn_entry_is_found_among_the_changes_and_brought_back",
        "test_who_restores_after_a_colleague_published_looks_and_restores_again",
        "test_of_two_who_restore_the_same_the_second_keeps_the_note",
    ),
    ("search.html", '{{ page.url("/search") }}'): ("test_a_search_is_made_narrowed_down_and_turned_over",),
    ("search.html", '{{ page.url("/search/found") }}'): ("test_a_search_is_made_narrowed_down_and_turned_over",),
    ("sign_in.html", '{{ page.url("/sign-in") }}'): ("test_a_reviewer_signs_in_at_the_second_try_and_out",),
    ("submit.html", "{{ action }}"): (
        "test_a_form_with_faults_says_so_and_is_sent_when_they_are_mended",
        "test_an_author_whose_entry_changed_meanwhile_compares_and_sends_again",
        "test_a_text_with_headings_of_its_own_is_changed_as_a_whole",
        "test_the_keys_send_a_proposal",
    ),
    ("wanted.html", 'sent_on(page.url("/submit/draft"))'): (
        "test_a_wanted_error_is_described_shown_to_everybody_or_taken_off_the_list",
    ),
    ("wanted.html", '{{ page.url("/wanted/too") }}{{ page.query }}'): (
        "test_a_wanted_error_is_described_shown_to_everybody_or_taken_off_the_list",
    ),
    ("wanted.html", '{{ page.url("/wanted/release") }}{{ page.query }}'): (
        "test_a_wanted_error_is_described_shown_to_everybody_or_taken_off_the_list",
    ),
    ("wanted.html", '{{ page.url("/wanted/withdraw") }}{{ page.query }}'): (
        "test_a_wanted_error_is_described_shown_to_everybody_or_taken_off_the_list",
    ),
    ("wanted.html", '{{ page.url("/wanted/dismiss") }}{{ page.query }}'): (
        "test_a_wanted_error_is_described_shown_to_everybody_or_taken_off_the_list",
        "test_what_two_take_off_the_list_is_gone_for_both",
    ),
}
# the template of a list with several pages, and who turns them
TURNED = {
    "_found.html": "test_what_a_search_found_is_turned_over",
    "audit.html": "test_who_did_what_is_filtered_and_turned_over",
    "changes.html": "test_the_changes_are_turned_over",
    "history.html": "test_a_long_history_is_turned_over",
    "project.html": "test_the_entries_of_a_project_are_turned_over",
    "review_feedback.html": "test_the_notes_of_readers_are_turned_over",
    "review_queue.html": "test_the_queue_is_turned_over",
    "wanted.html": "test_what_is_wanted_is_turned_over",
}
# the macro by which pages send a text on: its callers stand above
MACRO = ("_parts.html", "{{ action }}")

ADDRESS = re.compile(r'\s(?:form)?action="((?:\{\{.*?\}\}|[^"])*)"|\s(?:data-)?hx-(?:get|post|put|patch|delete)="'
                     r'((?:\{\{.*?\}\}|[^"])*)"|(sent_on\(page\.url\("[^"]*"\))')  # fmt: skip
NEXT = re.compile(r"\{% if (?:\w+\.)?next %\}<p><a ")
BROWSER = re.compile(r"^pytestmark = .*pytest\.mark\.browser", re.MULTILINE)


def found() -> set[tuple[str, str]]:
    """Every address in the templates that a form or htmx sends something to."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "templates").glob("*.html")}
    return {
        (name, next(group for group in match.groups() if group) + (")" if match[3] else ""))
        for name, template in pages.items()
        for match in ADDRESS.finditer(template)
    }


def test_every_action_of_the_templates_is_on_the_list() -> None:
    assert found() == {*SENT, MACRO}


def test_every_list_with_a_next_page_is_on_the_list() -> None:
    pages = (ROOT / "templates").glob("*.html")
    assert {page.name for page in pages if NEXT.search(page.read_text(encoding="utf-8"))} == {*TURNED}


def test_every_action_on_the_list_is_done_in_a_browser_in_both_languages() -> None:
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "tests/site").rglob("test_*.py")]
    done = {
        name
        for file in files
        if BROWSER.search(file)
        for name in re.findall(r"^@IN_BOTH_LANGUAGES\ndef (test_\w+)\(\n? *page: Page", file, re.MULTILINE)
    }
    # what asks for `page` alone is done with and without JavaScript; further tests of an action may need it
    assert {*TURNED.values(), *(names[0] for names in SENT.values())} - done == set()
    assert all(re.search(rf"^def {name}\(", "".join(files), re.MULTILINE) for names in SENT.values() for name in names)


class _Controls(HTMLParser):
    """Reads which buttons and fields of a page nothing would happen to without a script, and where its switch leads."""

    def __init__(self) -> None:
        super().__init__()
        self.dead: list[str] = []
        self.forms: set[str] = set()
        self.named: list[str] = []
        self.switch = ""
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside += 1
            self.forms.add(values.get("id", ""))
        elif tag == "button":
            self._button(values)
        elif tag == "a" and not values.get("href", "#").strip("#"):
            self.dead.append(f"a link to nowhere: {values}")
        if "switch" in values.get("class", "").split():
            self.switch = values.get("href", "") or f"form {values['form']}"

    def _button(self, values: dict[str, str]) -> None:
        if "form" in values:
            self.named.append(values["form"])
        elif not self._inside or values.get("type", "submit") != "submit" or "disabled" in values:
            self.dead.append(f"a button without effect: {values}")

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag == "form"


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_without_javascript_no_control_is_dead_and_the_switch_leads_to_the_other_language(
    visitors: dict[bool, TestClient], furnished: Furnished, page: Known, lang: str
) -> None:
    client = visitors[page.signed_in]
    read = _Controls()
    read.feed(furnished.ask(client, page, lang).text)
    assert read.dead == []
    assert set(read.named) <= read.forms
    other = LANGS[1 - LANGS.index("zh" if lang == "zh" else "en")]
    if read.switch.startswith("form "):
        # it sends along what the page holds, and the browser tests do that
        return
    assert read.switch.startswith(f"/{other}/")
    answer = client.get(read.switch)
    # a page that is there in one language is there in the other
    assert answer.status_code in (200, page.status if page.form is None else 200)
    assert answer.url.path.startswith(f"/{other}/")
