"""The registered searches and explorers, from `tarry list --json`, for tests that hold for every one of a kind: a new one joins them by its own file."""

import functools
import json
import os
import subprocess


@functools.lru_cache
def registry():
    done = subprocess.run([os.environ["TARRY"], "list", "--json"], capture_output=True, text=True, check=True, timeout=60)
    return json.loads(done.stdout)


def searches(**wanted):
    """Names of the searches with these facts: searches(complete=True, threads=True)."""
    return [search["name"] for search in registry()["searches"] if all(search[fact] == value for fact, value in wanted.items())]


def explorers():
    return [explorer["name"] for explorer in registry()["explorers"]]
