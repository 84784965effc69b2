"""The one place that uses the network: fetching GPT-2's weights, resumable and verified.

The file is pinned by revision, size and SHA-256. What has arrived stays in a `.part` file beside
the target until it is whole and verified; only then does it take the target's name.
"""

import fcntl
import os
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import sha256

FILE = "model.safetensors"
REVISION = "607a30d783dfa663caf39e06633721c8d4cfcd7e"
SIZE = 548_105_171
SHA256 = "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707"
HOST = "huggingface.co"
URL = f"https://{HOST}/openai-community/gpt2/resolve/{REVISION}/{FILE}"
REDIRECTS = (HOST, "hf.co")  # the host answers with an address of its own storage
CHUNK = 1 << 16
SILENCE = 5  # seconds in which less than a chunk arrives


def _allowed(url, hosts):
    parts = urlsplit(url)
    host = parts.hostname or ""
    return parts.scheme == "https" and any(host == h or host.endswith(f".{h}") for h in hosts)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a redirect only over TLS and to known hosts."""

    def __init__(self, hosts):
        self.hosts = hosts

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        if not _allowed(newurl, self.hosts):
            raise LedgerError(f"refused: a redirect to {urlsplit(newurl).hostname}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Transfer(threading.Thread):
    """Appends to the part file; `done` counts its bytes and `error` keeps what went wrong."""

    def __init__(self, opener, url, part, size, silence):
        super().__init__(daemon=True)  # a hanging route must not keep the program from ending
        self.opener, self.url, self.part, self.size = opener, url, part, size
        self.silence, self.error, self.stopped = silence, None, False
        self.done = part.stat().st_size

    def run(self):
        try:
            self._run()
        except (OSError, urllib.error.URLError, LedgerError, ValueError) as error:
            self.error = error
        except Exception as error:  # such as http.client's IncompleteRead
            self.error = error

    def _run(self):
        start = self.done if self.done < self.size else 0
        request = urllib.request.Request(self.url, headers={"Accept-Encoding": "identity"})
        if start:
            request.add_header("Range", f"bytes={start}-")
        with self.opener.open(request, timeout=self.silence) as answer:
            told = answer.headers.get("Content-Range", "")
            resumed = answer.status == 206 and told.startswith(f"bytes {start}-")
            if answer.status == 206 and not resumed:
                raise LedgerError(f"the server answered with another part: {told or 'unnamed'}")
            with self.part.open("r+b") as stream:
                self.done = start if resumed else 0
                stream.truncate(self.done)
                stream.seek(self.done)
                while not self.stopped and (chunk := answer.read1(CHUNK)):
                    if self.done + len(chunk) > self.size:
                        raise LedgerError(f"more than the expected {self.size} bytes arrive")
                    stream.write(chunk)
                    self.done += len(chunk)


def _show(done, size, stream):
    if stream.isatty():
        share = done / size
        bar = "#" * int(30 * share)
        print(f"\r[{bar:30}] {done / 1e6:5.0f} of {size / 1e6:.0f} MB", end="", file=stream)


def _watch(transfer, size, silence, stream):
    """Wait for a transfer; raise LedgerError when nothing to speak of arrives for too long."""
    mark, since = transfer.done, time.monotonic()
    while transfer.is_alive():
        transfer.join(0.05)
        _show(transfer.done, size, stream)
        if abs(transfer.done - mark) >= CHUNK or transfer.done == size:
            mark, since = transfer.done, time.monotonic()
        elif transfer.is_alive() and time.monotonic() - since > silence:
            transfer.stopped = True
            raise LedgerError(f"no answer for {silence} s")
    _show(transfer.done, size, stream)
    if stream.isatty():
        print(file=stream)


def download(url, target, size, checksum, silence=SILENCE, hosts=None, stream=sys.stderr):
    """Fetch `url` into `target`, going on where an earlier try stopped.

    `size`, `checksum`: bytes and SHA-256 that it must have; `hosts`: those a redirect may lead to
    (over TLS). Raises LedgerError saying why nothing was fetched; `target` is then untouched and
    what has arrived stays in `target`.part, unless it is whole and wrong.
    """
    target = Path(target)
    part = target.with_name(f"{target.name}.part")
    target.parent.mkdir(parents=True, exist_ok=True)
    opener = urllib.request.build_opener(*([_Redirects(hosts)] if hosts else []))
    with part.open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise LedgerError(f"{part}: another process is fetching it") from None
        if part.stat().st_size != size:
            transfer = _Transfer(opener, url, part, size, silence)
            transfer.start()
            _watch(transfer, size, silence, stream)
            if transfer.error:
                reason = getattr(transfer.error, "reason", transfer.error)
                raise LedgerError(f"fetching {FILE}: {reason}")
        found = part.stat().st_size
        if found != size:
            told = f"{found} of {size} bytes arrived; the next try goes on from there"
            raise LedgerError(f"fetching {FILE}: the connection ended early, {told}")
        if (have := sha256(part)) != checksum:
            part.unlink()
            raise LedgerError(
                f"fetching {FILE}: SHA-256 is {have}, expected {checksum}; thrown away"
            )
        os.replace(part, target)


def fetch_gpt2(folder):
    """Fetch GPT-2's weights into `folder` unless they are there; see download."""
    target = Path(folder) / FILE
    if not (target.is_file() and target.stat().st_size == SIZE):
        download(URL, target, SIZE, SHA256, hosts=REDIRECTS)
    return target
