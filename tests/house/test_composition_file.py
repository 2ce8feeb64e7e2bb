"""docker-compose.yml, the Dockerfiles and the cluster's manifests say the same, and nothing that no service reads."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.house.repository import ROOT, tracked_files

COMPOSITION: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
OURS = {"api", "engine", "bots", "history"}
DOCKERFILES = tracked_files("services/*/Dockerfile")
MANIFESTS = tracked_files("deploy/kubernetes/*.yaml")


@pytest.mark.parametrize("name", sorted(COMPOSITION["services"]))
def test_every_service_is_confined_and_stops_in_time(name: str) -> None:
    service = COMPOSITION["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert re.fullmatch(r"\d+s", service["stop_grace_period"])
    assert service["mem_limit"]
    assert service["cpus"]


@pytest.mark.parametrize("name", sorted(COMPOSITION["services"]))
def test_every_image_can_be_replaced_by_a_variable(name: str) -> None:
    assert COMPOSITION["services"][name]["image"].startswith("${OWNTRUMPS_")


def test_only_the_api_can_be_reached_from_outside() -> None:
    open_to_all = {name for name, service in COMPOSITION["services"].items() if "ports" in service}
    on_the_outside = {name for name, service in COMPOSITION["services"].items() if "outside" in service["networks"]}
    assert open_to_all == on_the_outside == {"api"}
    assert COMPOSITION["networks"]["inside"] == {"internal": True}


def test_no_secret_has_a_default() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    for secret in ("OWNTRUMPS_SECRET", "OWNTRUMPS_DB_PASSWORD"):
        uses = re.findall(r"\$\{" + secret + r"([^}]*)\}", text)
        assert uses
        assert all(use.startswith(":?") for use in uses), secret


def test_every_service_of_ours_has_its_image() -> None:
    assert {path.parent.name for path in DOCKERFILES} == OURS


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.parent.name)
def test_an_image_is_built_from_its_own_lock_file_and_runs_as_nobody_in_particular(dockerfile: Path) -> None:
    text = dockerfile.read_text()
    service = dockerfile.parent.name
    assert text.count("FROM ${BASE_IMAGE}") == 2, "the same base builds and runs"
    assert f"install dependencies requirements/{service}.lock" in text
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", text, re.MULTILINE)
    assert re.search(r"^HEALTHCHECK ", text, re.MULTILINE)
    assert f'CMD ["python", "-m", "owntrumps_{service}"' in text


def test_the_dependencies_of_an_image_are_laid_before_our_code() -> None:
    for dockerfile in DOCKERFILES:
        text = dockerfile.read_text()
        assert text.index("install dependencies") < text.index("COPY shared/"), dockerfile.parent.name


def is_read(variable: str, code: str) -> bool:
    """True if the code names the variable, or a prefix of it and the setting behind the prefix."""
    if f'"{variable}"' in code:
        return True
    prefixes = re.findall(r'"(OWNTRUMPS_[A-Z]+_)"', code)
    return any(
        variable.startswith(prefix) and f"    {variable.removeprefix(prefix).lower()}:" in code for prefix in prefixes
    )


@pytest.mark.parametrize("path", [ROOT / "docker-compose.yml", *MANIFESTS], ids=lambda path: path.name)
def test_every_variable_that_is_set_is_read_by_the_code(path: Path) -> None:
    code = "\n".join(source.read_text() for source in tracked_files("services/*.py", "shared/*.py"))
    set_for_services = set(re.findall(r"^\s+(?:- name: )?(OWNTRUMPS_[A-Z_]+):?(?: |$)", path.read_text(), re.MULTILINE))
    assert {name for name in set_for_services if not is_read(name, code)} == set()


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_every_container_of_the_cluster_is_confined_and_says_what_it_needs(path: Path) -> None:
    for manifest in yaml.safe_load_all(path.read_text()):
        if manifest["kind"] not in {"Deployment", "StatefulSet"}:
            continue
        pod = manifest["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["terminationGracePeriodSeconds"] > 0
        for container in pod["containers"]:
            assert container["securityContext"]["readOnlyRootFilesystem"] is True
            assert container["securityContext"]["allowPrivilegeEscalation"] is False
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
            assert {"cpu", "memory"} <= set(container["resources"]["requests"])


@pytest.mark.parametrize(
    "path", tracked_files("deploy/prometheus/alerts.yml", "deploy/grafana/*.json"), ids=lambda path: path.name
)
def test_alerts_and_dashboards_name_only_figures_that_a_service_keeps(path: Path) -> None:
    code = "\n".join(source.read_text() for source in tracked_files("services/*.py"))
    kept = set(re.findall(r'"(owntrumps_[a-z_]+)"', code))
    named = set(re.findall(r"\bowntrumps_[a-z_]+", path.read_text()))
    suffix = re.compile(r"_(?:total|bucket|sum|count)$")
    assert named
    assert {name for name in named if name not in kept and suffix.sub("", name) not in kept} == set()
