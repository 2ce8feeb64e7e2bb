from collections.abc import Iterator

import pytest

from tests.services.api.world import World, running


@pytest.fixture
def world() -> Iterator[World]:
    with running() as living:
        yield living
