"""Build the site from the gathered pages: with Quarto where it is, else with the preview."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from embedding_ledger import preview
from embedding_ledger.errors import LedgerError
from embedding_ledger.jobs import log

NAMES = {"quarto": "Quarto", "preview": "the preview renderer (pandoc)"}


def choose(renderer):
    """Return `quarto` or `preview` for the config value `renderer` (auto, quarto or preview).

    Raises LedgerError when Quarto is asked for but not installed.
    """
    installed = shutil.which("quarto") is not None
    if renderer == "quarto" and not installed:
        raise LedgerError("report.renderer is quarto, but no quarto is on the PATH; set it to auto")
    return "quarto" if renderer != "preview" and installed else "preview"


def _render_with_quarto(pages, site):
    """Run `quarto render` on a copy of the pages, so that nothing but the site is left behind."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(pages, project, ignore=shutil.ignore_patterns(".snakemake_timestamp"))
        done = subprocess.run(
            ["quarto", "render", str(project), "--output-dir", "_site"],
            capture_output=True,
            text=True,
            check=False,
        )
        said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
        log.info("%s", said)
        if done.returncode:
            raise LedgerError(f"quarto render failed with status {done.returncode}; see the log")
        shutil.copytree(project / "_site", site, dirs_exist_ok=True)


def render(pages, site, renderer):
    """Build `site` from the folder `pages` with `quarto` or `preview`.

    Raises LedgerError naming page and place when a source is not in order.
    """
    if renderer == "quarto":
        _render_with_quarto(pages, site)
    else:
        preview.render(pages, site)
