"""What is worth another try is tried again for a minute, with the same key; everything else is an error at once."""

import asyncio
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from owntrumps.client import AsyncClient, ClosedError, ProblemError, UnreachableError
from owntrumps.client.retries import LONGEST_WAIT_SECONDS, RETRY_FOR_SECONDS, Attempts
from tests.client.scripted import Scripted, problem, view


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


REQUEST = httpx.Request("GET", "http://server.test/v1/matches/07-aaaaaaaaaaaa")


def failed(status: int, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(status, headers=named, request=REQUEST)


def lost() -> httpx.TransportError:
    return httpx.ConnectError("refused", request=REQUEST)


def waits(attempts: Attempts, clock: Clock, failure: httpx.Response | httpx.TransportError, limit: int) -> list[float]:
    found = []
    for _ in range(limit):
        found.append(attempts.wait_after(failure))
        clock.now += found[-1]
    return found


@pytest.mark.parametrize("failure", [failed(500), failed(502), failed(503), failed(429), failed(202), lost()])
def test_waits_grow_to_a_bound(failure: httpx.Response | httpx.TransportError):
    clock = Clock()
    found = waits(Attempts(clock, RETRY_FOR_SECONDS, lambda: 1.0), clock, failure, 8)
    assert found == [0.25, 0.5, 1, 2, 4, LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS]


@pytest.mark.parametrize(
    ("failure", "error"), [(failed(503), ProblemError), (lost(), UnreachableError), (failed(202), UnreachableError)]
)
def test_after_a_minute_the_last_failure_stands(failure: httpx.Response | httpx.TransportError, error: type[Exception]):
    clock = Clock()
    attempts = Attempts(clock, RETRY_FOR_SECONDS, lambda: 1.0)
    with pytest.raises(error):
        waits(attempts, clock, failure, 1000)
    assert 1000 + RETRY_FOR_SECONDS - LONGEST_WAIT_SECONDS <= clock.now <= 1000 + RETRY_FOR_SECONDS


def test_what_came_through_gives_the_next_failure_its_own_minute():
    clock = Clock()
    attempts = Attempts(clock, RETRY_FOR_SECONDS, lambda: 1.0)
    waits(attempts, clock, lost(), 8)
    clock.now += 50
    attempts.succeeded()
    assert attempts.wait_after(lost()) == 0.25


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [("7", 7.0, 7.0), ("0", 0.125, 0.25), ("soon", 0.125, 0.25), ("-3", 0.125, 0.25)],
)
def test_retry_after_is_honoured(header: str, least: float, most: float):
    wait = Attempts(Clock(), RETRY_FOR_SECONDS).wait_after(failed(429, Retry_After=header))
    assert least <= wait <= most


def test_retry_after_may_be_a_date():
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    assert 15 < Attempts(Clock(), RETRY_FOR_SECONDS).wait_after(failed(503, Retry_After=moment)) <= 20


def test_a_retry_after_beyond_the_minute_is_an_error_at_once():
    with pytest.raises(ProblemError):
        Attempts(Clock(), RETRY_FOR_SECONDS).wait_after(failed(503, Retry_After="61"))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 412, 413, 415, 422])
def test_no_other_4xx_is_tried_again(status: int):
    server = Scripted(problem(status, "some-slug", legal=["7c"]))
    with server.client() as client, pytest.raises(ProblemError) as caught:
        client.move("07-aaaaaaaaaaaa", "8c")
    assert (caught.value.slug, caught.value.status, caught.value.detail) == ("some-slug", status, "In words.")
    assert caught.value.extra == {"legal": ["7c"]}
    assert len(server.asked) == 1


def test_a_post_keeps_its_key_and_body_through_all_tries():
    moved = httpx.Response(201, json={"version": 5, "events": [], "view": {}})
    server = Scripted(lost(), problem(503, "unavailable", {"Retry-After": "0"}), httpx.Response(202), moved)
    with server.client() as client:
        assert client.move("07-aaaaaaaaaaaa", "Jh", "9c", if_version=4)["version"] == 5
    assert len(server.asked) == 4
    assert len({(request.headers["Idempotency-Key"], request.content) for request in server.asked}) == 1
    first = server.asked[0]
    assert first.headers["If-Match"] == '"4"'
    assert first.headers["Authorization"] == "Bearer secret"
    assert first.content == b'{"action":"play","cards":["Jh","9c"]}'


def test_two_posts_have_two_keys():
    moved = httpx.Response(201, json={"version": 5, "events": [], "view": {}})
    server = Scripted(moved, moved)
    with server.client() as client:
        client.move("07-aaaaaaaaaaaa", "take")
        client.move("07-aaaaaaaaaaaa", "take")
    assert server.asked[0].headers["Idempotency-Key"] != server.asked[1].headers["Idempotency-Key"]


def test_an_address_of_no_server_is_an_error_at_once():
    server = Scripted(httpx.UnsupportedProtocol("no scheme", request=REQUEST))
    with server.client() as client, pytest.raises(UnreachableError):
        client.view("07-aaaaaaaaaaaa")


@pytest.mark.parametrize(
    "answer",
    [httpx.Response(200, text="<html>Welcome to this hotel"), httpx.Response(302, headers={"Location": "/login"})],
)
def test_an_answer_that_is_none_is_an_error(answer: httpx.Response):
    server = Scripted(answer)
    with server.client() as client, pytest.raises(ProblemError) as caught:
        client.turns()
    assert caught.value.status == answer.status_code


def test_a_refusal_that_is_no_problem_document_still_has_a_slug():
    server = Scripted(httpx.Response(403, text="<html>Forbidden"))
    with server.client() as client, pytest.raises(ProblemError) as caught:
        client.view("07-aaaaaaaaaaaa")
    assert caught.value.slug == "http-403"


def test_closing_ends_the_wait_for_another_try():
    asked = threading.Event()

    def unavailable(_: httpx.Request) -> httpx.Response:
        asked.set()
        return problem(503, "unavailable", {"Retry-After": "50"})

    client = Scripted(unavailable).client()
    ended: list[BaseException] = []

    def call() -> None:
        with pytest.raises(ClosedError) as caught:
            client.view("07-aaaaaaaaaaaa")
        ended.append(caught.value)

    thread = threading.Thread(target=call)
    thread.start()
    assert asked.wait(10)
    client.close()
    thread.join(10)
    assert len(ended) == 1
    with pytest.raises(ClosedError):
        client.view("07-aaaaaaaaaaaa")


def test_the_asyncio_twin_retries_alike():
    server = Scripted(lost(), problem(503, "unavailable"), view(version=9))

    async def ask() -> int:
        async with AsyncClient("http://server.test", transport=server) as client:
            return (await client.view("07-aaaaaaaaaaaa"))["version"]

    assert asyncio.run(ask()) == 9
    assert "Authorization" not in server.asked[0].headers


def test_closing_the_asyncio_twin_ends_the_wait():
    async def run() -> None:
        asked = asyncio.Event()

        def unavailable(_: httpx.Request) -> httpx.Response:
            asked.set()
            return problem(503, "unavailable", {"Retry-After": "50"})

        client = AsyncClient("http://server.test", transport=Scripted(unavailable))
        waiting = asyncio.create_task(client.view("07-aaaaaaaaaaaa"))
        await asked.wait()
        await client.aclose()
        with pytest.raises(ClosedError):
            await waiting

    asyncio.run(run())


def test_news_is_the_view_of_a_later_version_or_none():
    server = Scripted(httpx.Response(304), view(version=4), view(version=5))
    with server.client() as client:
        assert client.news("07-aaaaaaaaaaaa", 4) is None
        assert client.news("07-aaaaaaaaaaaa", 4) is None
        news = client.news("07-aaaaaaaaaaaa", 4, seconds=3, link="abc")
    assert news is not None
    assert news["version"] == 5
    assert dict(server.asked[2].url.params) == {"after": "4", "wait": "3", "key": "abc"}


def test_my_turns_are_the_views_in_which_the_caller_is_to_move():
    stand_in = [{"kind": "bot"}, {"kind": "bot"}]
    server = Scripted(
        view(status="open", turn=None, version=1),
        view(version=2),
        httpx.Response(304),
        view(version=3, turn=1),
        view(version=4, seats=stand_in),
        view(version=6),
        view(version=7, status="finished", turn=None),
    )
    with server.client() as client:
        assert [turn["version"] for turn in client.my_turns("07-aaaaaaaaaaaa")] == [2, 6]
