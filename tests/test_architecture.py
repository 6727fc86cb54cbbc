"""The picture of the rooms shows the imports of today."""

from docs import make_architecture


def test_picture_and_table_are_those_of_the_imports() -> None:
    graph = make_architecture.imports()
    assert make_architecture.PICTURE.read_text(encoding="utf-8") == make_architecture.picture(graph)
    written = make_architecture.PAGE.read_text(encoding="utf-8")
    assert written == make_architecture.page(written, graph), "`python -m docs.make_architecture` writes it anew"


def test_an_arrow_that_a_longer_way_makes_needless_is_left_out() -> None:
    graph = {"a": {"b", "c"}, "b": {"c", "d"}, "c": {"d"}, "d": set[str]()}
    assert make_architecture.reduced(graph) == {"a": {"b"}, "b": {"c"}, "c": {"d"}, "d": set()}
    assert make_architecture.ranks(graph) == {"a": 3, "b": 2, "c": 1, "d": 0}
