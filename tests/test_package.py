"""What travels with Ludus: the networks of the zoo, whose size is watched, and what pyproject.toml says of them."""

import tomllib
from pathlib import Path

import ludus
from ludus.learn import zoo

ROOT = Path(__file__).parent.parent
ZOO_BOUND = 8 * 2**20  # bytes of all networks; more would be felt in every download
NETWORK_BOUND = 3 * 2**19  # of one checkpoint
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_zoo_stays_small(record_property):
    sizes = {path: path.stat().st_size for path in zoo.FOLDER.rglob("*") if path.is_file()}
    checkpoints = {path: size for path, size in sizes.items() if path.suffix == ".safetensors"}
    record_property("bytes of the zoo", sum(sizes.values()))
    record_property("bytes of its largest network", max(checkpoints.values()))
    assert len(checkpoints) > len(zoo.names())  # all of them are here, one as a series
    assert sum(sizes.values()) <= ZOO_BOUND and max(checkpoints.values()) <= NETWORK_BOUND


def test_the_version_is_the_same_everywhere():
    version = PROJECT["project"]["version"]
    assert ludus.__version__ == version
    assert f"\n## {version}\n" in (ROOT / "CHANGELOG.md").read_text()


def test_the_pins_hold_what_the_extras_ask_for():
    """A package without a pin would be another one tomorrow. Ray is for those who have a cluster."""
    pins = {
        line.partition("==")[0].lower().replace("_", "-") for line in (ROOT / "constraints.txt").read_text().split("\n")
    }
    extras = PROJECT["project"]["optional-dependencies"]
    asked = [line for name, lines in extras.items() if name != "cluster" for line in lines]
    names = {line.partition(">=")[0].partition("[")[0].lower().replace("_", "-") for line in asked}
    assert names <= pins, names - pins
