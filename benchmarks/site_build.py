"""Building and checking the site

The gathered pages of the last run, rendered by the preview renderer, then read for faults. Needs
the results of a finished run.
"""

import tempfile
from pathlib import Path

from harness import ROOT, measured, seconds

AXIS = "sites"
SIZES = (1,)
QUICK = SIZES


def _build(pages, site):
    from embedding_ledger.preview import render
    from embedding_ledger.sitecheck import check_site

    rendering, _ = seconds(render, pages, site)
    checking, _ = seconds(check_site, site)
    return {"rendering_s": rendering, "checking_s": checking}


def preview(_):
    pages = ROOT / "results" / "pages"
    if not pages.exists():
        raise SystemExit("site_build: results/pages is absent; run make reproduce first")
    with tempfile.TemporaryDirectory() as folder:
        told, parts = measured(_build, pages, Path(folder) / "site")
    return {**told, **parts, "pages": len(list(pages.glob("*.qmd")))}


SIDES = {"preview": preview}
