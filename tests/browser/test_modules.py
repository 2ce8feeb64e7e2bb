"""The page's parts on their own: the stream reader, sizes, card drawings."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser

LOGS = Path(__file__).parents[1] / "store" / "logs"

STREAM = (
    ': hello\n\nid: 1\ndata: {"version":1,"name":"bornyú"}\n\n'
    'id: 2\r\nevent: end\r\ndata: {"a":\r\ndata: 2}\r\n\r\ndata: cut off'
)


def test_a_stream_reads_the_same_however_it_is_cut(modules: Page) -> None:
    outcomes = modules.evaluate(
        """async (text) => {
            const { parseEvents } = await import("/static/js/stream.js");
            const bytes = new TextEncoder().encode(text);
            const outcomes = new Set();
            for (let size = 1; size <= bytes.length; size += 1) {
                const body = new ReadableStream({ start(controller) {
                    for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
                    controller.close();
                } });
                const messages = [];
                for await (const message of parseEvents(body)) messages.push(message);
                outcomes.add(JSON.stringify(messages));
            }
            return [...outcomes].map((outcome) => JSON.parse(outcome));
        }""",
        STREAM,
    )
    assert outcomes == [
        [{"id": "1", "data": '{"version":1,"name":"bornyú"}'}, {"id": "2", "event": "end", "data": '{"a":\n2}'}]
    ]


def test_every_hand_and_pile_fits_the_screen_and_shows_each_card(modules: Page) -> None:
    problems = modules.evaluate(
        """async () => {
            const { cardWidth, fanned, overlap, split } = await import("/static/js/table/layout.js");
            const problems = [];
            for (const [width, height] of [[320, 560], [390, 690], [844, 560], [960, 700], [1600, 900]]) {
                const card = cardWidth(width, height);
                for (const kind of ["hand", "pile"]) {
                    for (let count = 1; count <= 36; count += 1) {
                        const { rows, strip, fan = 0 } = kind === "hand"
                            ? fanned(count, width - 30, card) : overlap(count, width - 30, card, kind);
                        const turned = (fan * Math.PI) / 360;  // the outermost cards, round a point below them
                        const reach = card * 0.5 * Math.cos(turned) + 1.2 * 1.4 * card * Math.sin(turned);
                        const widest = (Math.max(...rows) - 1) * strip + 2 * reach;
                        const flat = kind === "hand" && rows.length === 1 && count > 2 && fan === 0;
                        if (flat) problems.push([width, count, "flat"]);
                        const cards = Array.from({ length: count }, (_, k) => k);
                        const dealt = split(cards, rows).flat();
                        if (dealt.join() !== cards.join()) problems.push([width, kind, count, "lost"]);
                        if (widest > width - 30 + 0.01) problems.push([width, kind, count, "too wide", widest]);
                        if (rows.length > 1 && strip > card) problems.push([width, kind, count, "gap", strip]);
                        if (strip < 15) problems.push([width, kind, count, "covered", strip]);
                    }
                }
            }
            return problems;
        }"""
    )
    assert problems == []


def test_cards_are_as_large_as_the_room_allows_and_no_larger(modules: Page) -> None:
    problems = modules.evaluate(
        """async () => {
            const { fanned, fit, overlap } = await import("/static/js/table/layout.js");
            const problems = [];
            const shown = (hand, pile, sizes) => {
                const held = fanned(hand.count, hand.width, sizes.hand).rows;
                const laid = overlap(pile.count, pile.width, sizes.pile, "pile").rows;
                const high = ({ length }, card, step) => (length ? card * (1.4 + (length - 1) * step) : 0);
                return high(held, sizes.hand, 0.66) + high(laid, sizes.pile, 0.6);
            };
            const states = [290, 360, 620, 900].flatMap((width) => [0, 1, 8, 20, 33].flatMap((count) =>
                [1, 8, 20].map((lying) => [width, count, lying])));
            for (const [width, count, lying] of states) {
                const [hand, pile] = [{ count, width }, { count: lying, width: width * 0.7 }];
                const [smallest, largest] = [44, 110].map((most) => fit({ most, room: 9999, centre: 0, hand, pile }));
                let before = 0;
                for (let room = 60; room < 900; room += 20) {
                    const sizes = fit({ most: 110, room, centre: 0, hand, pile });
                    const scrolls = sizes.hand === smallest.hand && sizes.pile === smallest.hand;
                    if (shown(hand, pile, sizes) > room && !scrolls) problems.push([width, count, lying, room, sizes]);
                    if (sizes.pile < before - 24) problems.push(["smaller with more room", width, count, lying, room]);
                    before = sizes.pile;
                }
                if (before !== largest.pile) problems.push(["never large", width, count, lying]);
                const beside = fit({ most: 110, room: 300, centre: 200, hand: { count: 8, width: 900 }, pile });
                if (1.4 * beside.hand > 100) problems.push(["no room for those beside the pile", beside]);
            }
            return problems;
        }"""
    )
    assert problems == []


def test_all_104_faces_are_drawn_and_differ(modules: Page) -> None:
    drawings = modules.evaluate(
        """async () => {
            const { cardFace } = await import("/static/js/cards/face.js");
            const drawings = [];
            for (const style of ["french", "german"]) for (const suit of "cdhs") for (const rank of "23456789TJQKA") {
                const face = cardFace(style, rank + suit, { index: rank, title: rank }).outerHTML;
                drawings.push(face.replaceAll(/half-\\d+/g, "half"));
            }
            return drawings;
        }"""
    )
    assert len(drawings) == 104
    assert len(set(drawings)) == 104
    assert not any("style=" in drawing for drawing in drawings)


def test_unknown_languages_fall_back_to_what_the_browser_speaks(modules: Page) -> None:
    picked = modules.evaluate(
        """async () => {
            const { pickLanguage } = await import("/static/js/i18n.js");
            return [pickLanguage("is", ["hu"]), pickLanguage(null, ["de-AT", "hu-HU"]), pickLanguage("xx", ["de"])];
        }"""
    )
    assert picked == ["is", "hu", "en"]


def events_of_every_kind() -> list[dict[str, Any]]:
    """As the kept logs have them (tests/store checks that no kind is missing)."""
    lines = [line for log in sorted(LOGS.glob("schema-*/*.log")) for line in log.read_text().splitlines()]
    return [event for line in lines for event in json.loads(line.split(" ", 1)[1])["events"]]


@pytest.mark.parametrize("language", ["en", "hu", "is", "ru"])
def test_every_event_is_told_in_words_to_its_own_player_and_to_others(modules: Page, language: str) -> None:
    told = modules.evaluate(
        """async ([language, events]) => {
            const { loadLanguage } = await import("/static/js/i18n.js");
            const { describe } = await import("/static/js/words.js");
            await loadLanguage(language);
            const seats = ["Anna", "Béla", "Cili", "Dani"].map((name, seat) => ({ seat, name, kind: "player" }));
            return events.flatMap((event) => [null, 0, 1, 2, 3].map((you) =>
                describe(event, { seats, you, ruleset: { name: "bornyu" } }, "german")));
        }""",
        [language, events_of_every_kind()],
    )
    texts = {text for text in told if text is not None}
    assert len(texts) > 100
    assert [text for text in texts if "log." in text or "draw." in text or "{" in text or "undefined" in text] == []
