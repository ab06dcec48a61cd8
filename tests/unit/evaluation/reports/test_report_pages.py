"""Reports as HTML and Markdown: they stand alone, and no word of others does anything in them."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import combinations
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from impossible_moments.domain.vocabulary import CATEGORIES
from impossible_moments.evaluation.reports.comparison_report import build_comparison_report
from impossible_moments.evaluation.reports.html_page import render_html
from impossible_moments.evaluation.reports.markdown_page import escape_markdown, render_markdown
from impossible_moments.evaluation.reports.radar_chart import (
    MOST_SERIES,
    RADIUS,
    WIDTH,
    place_axis_labels,
    render_radar,
)
from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.reports.report_elements import EvaluationReport, RadarFigure, WhiskerFigure
from impossible_moments.evaluation.reports.svg_elements import cut_text_to_width, estimate_text_width
from impossible_moments.evaluation.reports.whisker_chart import render_whiskers
from impossible_moments.evaluation.results import Results, ScenarioResult
from impossible_moments.evaluation.statistics.resampling import MeanEstimate
from support.sample_results import build_many_results, build_results, build_run, build_scenario

VOID = frozenset({"meta", "br", "hr", "img", "input", "link"})
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></title></svg><svg onload=alert(1)>",
    "[click](javascript:alert(1)) ![p](http://evil.example/p.png) <http://evil.example>",
    "https://evil.example www.evil.example a@evil.example",
    "| a | b |\n|---|---|\n# heading\n```\nfence",
    "- list\n1. item\n> quote *bold* _it_ ~~gone~~ `code` $x$ &lt;b&gt;",
    "\x1b]0;title\x07\x1b[31m \u202e \u2028 \x00 \ud800",
    "[red]markup[/red] [link=http://evil.example]x[/link]",
)


class Page(HTMLParser):
    """Every tag with its attributes, whether they nest, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.badly_nested: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.badly_nested.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def hostile(text: str) -> Results:
    """Results with this text wherever a text may stand."""
    fields: dict[str, Any] = {"title": text, "family": text}
    words: dict[str, Any] = {
        "flags": (text, "unintended", "false solution", "fragile", "breakthrough candidate"),
        "answer": text,
    }
    made: list[ScenarioResult] = [
        build_scenario(
            f"{status} {text}",
            [],
            status=status,
            runs=(build_run(90, **words), build_run(None, 2, note=text, **words)),
            **fields,
        )
        for status in ("KS", "OF", "PX")
    ]
    executed = build_run(95, executed=(text,), **words)
    made.append(build_scenario(text, [], status=f"KS-{text}", tier="IMPOSSIBLE", runs=(executed,), **fields))
    told = dict.fromkeys(("presentation", "answer_form", "library", "benchmark", "created", "cost"), text)
    return build_results(*made, model=text, judges=(text, text), **told)


def reports(made: Results) -> list[EvaluationReport]:
    return [build_report_card(made), build_comparison_report({made.model: made, f"{made.model} again": made})]


@pytest.fixture(scope="module", params=["card", "comparison", "nothing"])
def page(request: pytest.FixtureRequest) -> str:
    made = {
        "card": lambda: build_report_card(build_many_results(60)),
        "comparison": lambda: build_comparison_report(
            {str(at): build_many_results(60, seed=at) for at in range(8)}
        ),
        "nothing": lambda: build_report_card(build_results()),
    }
    return render_html(made[request.param]())


def test_the_page_is_well_formed(page: str) -> None:
    found = Page(page)

    assert (found.badly_nested, found.open) == ([], [])
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_the_page_asks_for_nothing_from_elsewhere_and_runs_nothing(page: str) -> None:
    found = Page(page)

    assert {tag for tag, _ in found.tags} & {
        "script",
        "link",
        "img",
        "iframe",
        "object",
        "image",
        "use",
    } == set()
    for _, attributes in found.tags:
        assert not {
            name for name in attributes if name.startswith("on") or name in {"src", "srcset", "xlink:href"}
        }
        assert str(attributes.get("href", "#")).startswith("#")
    assert not re.search(r"url\(|@import|https?:|//", page)


def test_a_figure_is_parted_from_its_bar_and_neither_within_itself() -> None:
    page = render_html(build_report_card(build_many_results(60)))

    assert re.search(r">\d+\.\d \(\d+\.\d&nbsp;to&nbsp;\d+\.\d\)</td>", page)
    assert re.search(r">\d+&nbsp;% \(\d+&nbsp;%&nbsp;to&nbsp;\d+&nbsp;%\)</td>", page)
    assert "\\x" not in page  # nothing of ours is a character that has to be written out


def test_the_page_has_both_colour_schemes_and_a_form_for_print(page: str) -> None:
    assert "@media screen and (prefers-color-scheme: dark)" in page
    assert "@media print" in page


@pytest.mark.parametrize("text", HOSTILE)
def test_words_of_others_are_only_text_on_the_page(text: str) -> None:
    calm, wild = reports(hostile("calm")), reports(hostile(text))

    for quiet, loud in zip(calm, wild, strict=True):
        expected, found = Page(render_html(quiet)), Page(render_html(loud))
        assert found.badly_nested == []
        assert [tag for tag, _ in found.tags if tag != "text"] == [
            tag for tag, _ in expected.tags if tag != "text"
        ]
        assert {name for _, attributes in found.tags for name in attributes} == {
            name for _, attributes in expected.tags for name in attributes
        }
        render_html(loud).encode()
        assert not [each for each in render_html(loud) if not each.isprintable() and each != "\n"]


def flattened(tokens: list[Token]) -> list[Token]:
    return [each for token in tokens for each in (token, *flattened(token.children or []))]


def parsed(text: str) -> list[str]:
    """The kinds of everything a Markdown text consists of."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return [each.type for each in flattened(reader.parse(text)) if each.type not in {"text", "text_special"}]


@pytest.mark.parametrize("text", HOSTILE)
def test_words_of_others_are_only_text_in_markdown(text: str) -> None:
    calm, wild = reports(hostile("calm")), reports(hostile(text))

    for quiet, loud in zip(calm, wild, strict=True):
        written = render_markdown(loud)
        assert parsed(written) == parsed(render_markdown(quiet))
        assert not re.search(r"://|www\.|\w@\w", written)
        written.encode()


@pytest.mark.parametrize("text", [*HOSTILE[:7], "-5", "- x", "+", "12) x", "=", "---", "\\", "a|b\\|c"])
def test_markdown_shows_the_text_that_was_meant(text: str) -> None:
    one = " ".join(text.split())
    (shown,) = [
        each for each in MarkdownIt("commonmark").parse(escape_markdown(one)) if each.type == "inline"
    ]

    assert "".join(each.content for each in shown.children or []) == one


def test_markdown_tables_keep_their_shape() -> None:
    for line in render_markdown(build_report_card(hostile("a | b"))).splitlines():
        if line.startswith("|"):
            assert line.endswith("|")
    assert "## How to read it" in render_markdown(build_report_card(build_many_results(20)))


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_axis_labels_do_not_overlap_and_stay_in_the_drawing() -> None:
    found = place_axis_labels(tuple(CATEGORIES))

    for one, other in combinations(found, 2):
        assert not overlap(one.box, other.box), (one, other)
    for each in found:
        assert each.box[0] >= 0
        assert each.box[1] >= 0
        assert each.box[2] <= WIDTH


def test_the_radar_puts_values_on_their_axes() -> None:
    drawn = render_radar(RadarFigure("t", ("up", "right", "down", "left"), (("m", (100, 50, 0, 100)),)))
    centre = (WIDTH / 2, 260)

    (points,) = re.findall(r'<g class="s0"[^>]*><polygon points="([^"]+)"', drawn)
    assert [tuple(map(float, pair.split(","))) for pair in points.split()] == [
        (centre[0], centre[1] - RADIUS),
        (centre[0] + RADIUS / 2, centre[1]),
        centre,
        (centre[0] - RADIUS, centre[1]),
    ]


def test_a_category_that_was_not_scored_breaks_the_line_and_is_no_nought() -> None:
    drawn = render_radar(RadarFigure("t", ("a", "b", "c", "d"), (("m", (10, None, 30, 40)),)))
    group = drawn[drawn.index('<g class="s0"') :].partition("</g>")[0]

    assert group.count("<line") == 2  # c to d and d to a
    assert group.count("<circle") == 3
    assert "b not scored" in drawn


def test_series_are_told_apart_without_colour() -> None:
    drawn = render_radar(
        RadarFigure("t", ("a", "b", "c"), tuple((f"m{at}", (10, 20, 30)) for at in range(MOST_SERIES + 2)))
    )
    dashes = re.findall(
        r'<g class="s\d"[^>]*><polygon points="[^"]+" fill="none" stroke-width="2.2"([^/]*)/>', drawn
    )

    assert len(dashes) == MOST_SERIES == len(set(dashes))
    assert "2 more only in the table" in drawn


def test_a_long_name_is_cut_to_the_room_there_is() -> None:
    assert estimate_text_width(cut_text_to_width("模型" * 100, 300)) <= 300
    assert cut_text_to_width("short", 300) == "short"


def test_whiskers_show_the_bar_where_there_is_one_and_a_hollow_dot_where_not() -> None:
    drawn = render_whiskers(
        WhiskerFigure(
            "t", (("a", MeanEstimate(50, 40, 60)), ("b", MeanEstimate(50)), ("c", MeanEstimate(None)))
        )
    )

    assert drawn.count('stroke-width="2"/>') == 4  # a line and two caps, and the hollow dot
    assert drawn.count("<circle") == 2
    assert drawn.count('class="hollow"') == 1
