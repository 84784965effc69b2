"""Options and fixtures that all tests share."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser):
    parser.addoption(
        "--results",
        default="results",
        help="results folder of the pipeline run whose claims and pages are tested",
    )


@pytest.fixture(scope="session")
def project():
    """The root folder of the project."""
    return ROOT
