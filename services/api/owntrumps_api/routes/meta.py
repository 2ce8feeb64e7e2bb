"""What can be played, against whom, and how this process is doing."""

from typing import Final

from flask import Response

from owntrumps.rules.rulesets import PRESETS
from owntrumps_api.body import json_response
from owntrumps_api.levels import LEVELS
from owntrumps_api.operations import Answers, Operations
from owntrumps_api.problems import Problem
from owntrumps_api.schemas import answers
from owntrumps_api.service import service

DEAF_SECONDS: Final = 10
"""A feed not heard for so long is not ready: answers would come late."""

meta = Operations("meta", __name__, description="What there is, and how it is.")


@meta.operation("GET", "/v1/rulesets", answers={200: Answers(answers.Rulesets, "The presets, complete.")})
def list_rulesets() -> Response:
    """The presets"""
    return json_response({"rulesets": [{"name": name, **ruleset.as_dict()} for name, ruleset in PRESETS.items()]})


@meta.operation("GET", "/v1/bots", answers={200: Answers(answers.Bots, "The levels, weakest first.")})
def list_bots() -> Response:
    """The levels of bots and what they may be asked"""
    bots = [
        {
            "level": name,
            "about": level.about,
            "budget_ms": {"default": level.default_ms, "least": level.least_ms, "most": level.most_ms},
        }
        for name, level in LEVELS.items()
    ]
    return json_response({"bots": bots})


@meta.operation("GET", "/healthz", answers={200: Answers(answers.Health, "The process lives.")})
def healthz() -> Response:
    """Alive"""
    return json_response({"status": "ok"})


@meta.operation("GET", "/readyz", answers={200: Answers(answers.Health, "Requests will be answered.")})
def readyz() -> Response:
    """Ready: the store answers and the feed is heard"""
    service().store.ping()
    silence = service().hub.silence()
    if silence > DEAF_SECONDS or service().hub.closing:
        raise Problem("unavailable", f"the feed has not been heard for {silence:.0f} s")
    return json_response({"status": "ok"})


@meta.operation("GET", "/metrics", answers={200: Answers(None, "Prometheus' text format.", also=["text/plain"])})
def metrics() -> Response:
    """Counters for Prometheus"""
    return Response(service().metrics.text(), mimetype="text/plain; version=0.0.4")
