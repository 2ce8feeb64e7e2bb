"""The client, with scripts that find their way back into a server that lost them, and errors in the port's words."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from redis import Redis, RedisCluster
from redis.exceptions import (
    ClusterError,
    ConnectionError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    ResponseError,
    TimeoutError,
    TryAgainError,
)

from owntrumps.game.terms import Millis
from owntrumps.store.port import StoreUnavailableError
from owntrumps.store.scripts import Script

Client = Redis | RedisCluster
Word = str | bytes | int
Command = tuple[Word, ...]
Run = tuple[Sequence[str], Sequence[Word]]
"""A script's KEYS and ARGV."""

_UNAVAILABLE = (
    ConnectionError,
    TimeoutError,
    ClusterError,
    RedisClusterException,
    OutOfMemoryError,
    ReadOnlyError,
    TryAgainError,
)
_UNAVAILABLE_CODES: Final = frozenset({"BUSY", "LOADING", "MISCONF", "NOREPLICAS", "OOM", "READONLY", "UNBLOCKED"})
"""First words of answers of a server that cannot serve right now."""


def is_unavailable(error: Exception) -> bool:
    """Whether the server, rather than the command, is at fault."""
    return isinstance(error, _UNAVAILABLE) or (
        isinstance(error, ResponseError) and str(error).partition(" ")[0] in _UNAVAILABLE_CODES
    )


@contextmanager
def errors_translated() -> Iterator[None]:
    """StoreUnavailableError in place of the client's errors that mean it; others are mistakes of ours and pass."""
    try:
        yield
    except (*_UNAVAILABLE, ResponseError) as error:
        if is_unavailable(error):
            raise StoreUnavailableError(f"{type(error).__name__}: {error}") from error
        raise


class Link:
    """Commands, pipelines and scripts over one client, a single server's or a cluster's.

    The client may repeat what a broken connection left unanswered: everything sent here must bear that.
    """

    def __init__(self, client: Client) -> None:
        self.client: Any = client  # of two types with the same methods, half of them annotated
        self.is_cluster = isinstance(client, RedisCluster)

    def call(self, *command: Word) -> Any:
        with errors_translated():
            return self.client.execute_command(*command)

    def pipeline(self, commands: Sequence[Command]) -> list[Any]:
        """The answers, in order; the first error is raised, after all commands have run."""
        with errors_translated():
            answers = self._send(commands)
            for answer in answers:
                if isinstance(answer, Exception):
                    raise answer
        return answers

    def run(self, script: Script, keys: Sequence[str], args: Sequence[Word]) -> Any:
        return self.run_many(script, [(keys, args)])[0]

    def run_many(self, script: Script, runs: Sequence[Run]) -> list[Any]:
        """The script's answers, in order, in one round trip; two more where the server has lost the script."""
        commands: list[Command] = [("EVALSHA", script.sha, len(keys), *keys, *args) for keys, args in runs]
        with errors_translated():
            answers = self._send(commands)
            lost = [position for position, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
            if lost:
                self._load(script)
                again = self._send([commands[position] for position in lost])
                for position, answer in zip(lost, again, strict=True):
                    answers[position] = answer
            for answer in answers:
                if isinstance(answer, Exception):
                    raise answer
        return answers

    def _send(self, commands: Sequence[Command]) -> list[Any]:
        """The answers and errors of a pipeline without a transaction."""
        if not commands:
            return []
        with self.client.pipeline(transaction=False) as pipeline:
            for command in commands:
                pipeline.execute_command(*command)
            answers: list[Any] = pipeline.execute(raise_on_error=False)
        return answers

    def _load(self, script: Script) -> None:
        if isinstance(self.client, RedisCluster):
            self.client.execute_command("SCRIPT LOAD", script.text, target_nodes=RedisCluster.PRIMARIES)
        else:
            self.client.execute_command("SCRIPT LOAD", script.text)

    def ping(self) -> None:
        """Every primary answers."""
        with errors_translated():
            if isinstance(self.client, RedisCluster):
                self.client.execute_command("PING", target_nodes=RedisCluster.PRIMARIES)
            else:
                self.client.execute_command("PING")

    def now(self) -> Millis:
        """The server's clock; of a cluster, that of its first node."""
        with errors_translated():
            if isinstance(self.client, RedisCluster):
                seconds, micros = self.client.execute_command("TIME", target_nodes=self.client.get_default_node())
            else:
                seconds, micros = self.client.execute_command("TIME")
        return Millis(seconds * 1000 + micros // 1000)

    def close(self) -> None:
        self.client.close()
