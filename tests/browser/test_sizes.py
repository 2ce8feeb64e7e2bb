"""Whatever the window and however many cards: all that is to be read and pressed is there, and nothing lies on it."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.tables import Table, resize, show

pytestmark = pytest.mark.browser

LOW = [(844, 390), (667, 375), (640, 400), (1024, 480), (1280, 600)]
SMALL = [(320, 568), (360, 640), PHONE]
LARGE = [(768, 1024), DESKTOP, (2560, 1300)]
TABLES = {
    "a few cards": Table(hand=8, pile=1),
    "a pile": Table(hand=8, pile=8),
    "a large pile": Table(hand=5, pile=20),
    "nearly every card in hand": Table(hand=33, pile=5),
    "many known cards": Table(hand=20, pile=5, known=6),
    "two players": Table(hand=16, pile=4, seats=2),
    "three players": Table(hand=12, pile=4, seats=3, known=6),
    "a spectator": Table(hand=20, pile=5, watching=True),
}

# Every part is brought into view first: where a window is too small for all of them, the page scrolls.
COVERED = """() => {
  const problems = [];
  const box = (node) => node.getBoundingClientRect();
  const all = (selector) => [...document.querySelectorAll(selector)];
  const overlap = (one, other) => {
    const [a, b] = [box(one), box(other)];
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) problems.push(`page ${scrollWidth} wide`);
  for (const part of all(".btn.take, .prompt, .take-note, .table .plaque, .table .medal")) {
    part.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = box(part);
    const round = part.matches(".medal, .plaque") ? height / 5 : 4; // its corners are, and take no clicks
    for (let x = 0; x <= 4; x += 1) {
      for (let y = 0; y <= 2; y += 1) {
        const at = [left + round + ((width - 2 * round) * x) / 4, top + round + ((height - 2 * round) * y) / 2];
        const seen = document.elementFromPoint(...at);
        if (!part.contains(seen)) problems.push(`${part.className} under ${seen?.getAttribute("class")}`);
      }
    }
  }
  const cards = [...all(".pile .card .face"), ...all(".hand .card .face")];
  const seats = all(".seat :is(.backs, .known, .last)");
  for (const part of [...all(".btn.take, .prompt, .take-note, .plaque, .pile-count"), ...seats]) {
    const card = cards.find((each) => overlap(part, each));
    if (card) problems.push(`a card of the ${card.closest(".hand, .pile").className} on ${part.className}`);
  }
  for (const count of all(".pile-count")) {
    for (const part of seats) if (overlap(part, count)) problems.push(`the count on ${part.className}`);
  }
  const [table, stage] = [".table", ".stage"].map((part) => box(document.querySelector(part)));
  const inside = ({ left, right, bottom }) => bottom <= table.bottom && left >= table.left && right <= table.right;
  if (!cards.map(box).every(inside)) problems.push("cards beside the table");
  if (table.bottom > stage.bottom + 1) problems.push("the table over what follows");
  return [...new Set(problems)];
}"""
BELOW = """() => [...document.querySelectorAll(".btn.take, .prompt, .table .plaque, .hand .card")]
  .filter((node) => node.getBoundingClientRect().bottom > innerHeight + (node.matches(".card") ? 30 : 0))
  .map((node) => node.className)"""
"""Of a card it is enough to see all but its foot."""


@pytest.fixture
def page(modules: Page) -> Page:
    """Nothing flies: what is measured has arrived."""
    modules.emulate_media(reduced_motion="reduce")
    return modules


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_prompt_take_and_trumps_are_never_covered(page: Page, table: Table) -> None:
    problems: dict[tuple[int, int], list[str]] = {}
    show(page, table, SMALL[0])
    for size in [*SMALL, *LOW, *LARGE]:
        resize(page, size)
        problems[size] = page.evaluate(COVERED)
    assert {size: found for size, found in problems.items() if found} == {}


def test_eight_cards_are_played_without_scrolling(page: Page) -> None:
    below: dict[tuple[int, int], list[str]] = {}
    show(page, Table(hand=8, pile=8), SMALL[0])
    for size in [*SMALL, *LOW, *LARGE]:
        resize(page, size)
        below[size] = page.evaluate(BELOW)
    assert {size: found for size, found in below.items() if found} == {}


def test_cards_grow_with_the_screen_and_players_stay_near(page: Page) -> None:
    show(page, Table(), PHONE)
    widths = []
    for size in [PHONE, DESKTOP, (2560, 1300)]:
        resize(page, size)
        widths.append(page.locator(".hand .card .face").first.evaluate("face => face.clientWidth"))
        if size != PHONE:
            assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") == 0
    assert widths == sorted(widths)
    assert widths[-1] >= 150
    left, right = (page.locator(f".pos-{side} .plaque").bounding_box() for side in ("left", "right"))
    assert left is not None
    assert right is not None
    assert right["x"] - left["x"] < 1700


def test_a_table_that_grows_with_its_cards_does_not_draw_itself_anew(page: Page) -> None:
    """Whatever is drawn anew loses its cards under way."""
    show(page, Table(hand=33, pile=5), (320, 568))
    page.evaluate("() => { document.querySelector('.hand').drawn = true; }")
    page.evaluate("() => document.querySelector('.prompt').append(' and one more word'.repeat(30))")
    resize(page, (320, 568))
    assert page.evaluate("() => document.querySelector('.hand').drawn")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_long_names_stay_in_their_place_and_begin_with_their_first_letter(page: Page, size: tuple[int, int]) -> None:
    show(page, Table(), size)
    found: list[Any] = page.evaluate(
        """() => [...document.querySelectorAll(".table .name")].map((name) => {
            const letter = document.createRange();
            letter.setStart(name.firstChild, 0);
            letter.setEnd(name.firstChild, 1);
            const [seen, box] = [letter.getBoundingClientRect(), name.getBoundingClientRect()];
            return seen.left >= box.left - 1 && seen.right <= box.right + 1;
        })"""
    )
    assert found == [True] * 4
    page.locator("details.side").evaluate("side => { side.open = true; }")
    lines = page.locator(".log button").evaluate_all("all => all.map(line => line.scrollWidth - line.clientWidth)")
    assert len(lines) > 6
    assert max(lines) <= 0


@pytest.mark.parametrize("size", [PHONE, (320, 568), (844, 390)])
def test_the_history_can_be_used_while_looking_at_the_table(page: Page, size: tuple[int, int]) -> None:
    # Given
    show(page, Table(hand=8, pile=5), size)
    # When
    page.locator(".side > summary").click()
    page.evaluate("() => scrollTo(0, 0)")
    # Then
    on_top = """node => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    }"""
    for part in (".history input", ".history .step-back", ".pile .topmost", ".seat .medal >> nth=0"):
        assert page.locator(part).evaluate(on_top), part
    # And nothing is lost under it
    assert page.evaluate(COVERED) == []
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    assert page.locator(".log").evaluate(
        "log => log.getBoundingClientRect().bottom <= document.querySelector('.history').getBoundingClientRect().top"
    )


def test_the_result_leaves_the_last_cards_to_be_seen(page: Page) -> None:
    show(page, Table(hand=1, pile=30, known=0, over=True), DESKTOP)
    page.locator("#result-title").wait_for()
    assert page.evaluate(
        """() => document.querySelector(".panel.result").getBoundingClientRect().top
            >= document.querySelector(".pile").getBoundingClientRect().bottom"""
    )
