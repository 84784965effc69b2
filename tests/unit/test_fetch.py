"""Fetching over a local server: whole, resumed, cut short, hanging, wrong."""

import hashlib
import io
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from embedding_ledger import fetch
from embedding_ledger.errors import LedgerError

DATA = np.random.default_rng(0).bytes(1_000_003)
SUM = hashlib.sha256(DATA).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """Serves DATA as the server's `manner` says; `asked` keeps the ranges."""

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        manner, asked = self.server.manner, self.headers.get("Range")
        self.server.asked.append(asked)
        if manner == "hang":
            time.sleep(2)
            return
        if manner == "away":
            self.send_response(302)
            self.send_header("Location", "https://elsewhere.invalid/x")
            self.end_headers()
            return
        if manner == "refuse":
            self.send_error(404)
            return
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        if manner == "whole":
            start = 0
        body = DATA[start:] if manner != "wrong" else bytes(len(DATA) - start)
        self.send_response(206 if start else 200)
        if start:
            told = start + 1 if manner == "other part" else start
            self.send_header("Content-Range", f"bytes {told}-{len(DATA) - 1}/{len(DATA)}")
        self.end_headers()
        if manner == "long":
            body += b"more"
        if manner == "cut":
            body = body[:400_000]
        if manner == "drip":
            for place in range(40):
                self.wfile.write(body[place : place + 1])
                time.sleep(0.05)
            return
        self.wfile.write(body)


@pytest.fixture
def server():
    served = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served.daemon_threads = True
    served.manner, served.asked = "plain", []
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield served
    served.shutdown()
    served.server_close()


@pytest.fixture
def get(server, tmp_path):
    def run(silence=1, **more):
        url = f"http://127.0.0.1:{server.server_port}/x"
        target = tmp_path / "d" / "model.safetensors"
        fetch.download(url, target, len(DATA), SUM, silence, **more)
        return target

    run.part = tmp_path / "d" / "model.safetensors.part"
    run.target = tmp_path / "d" / "model.safetensors"
    return run


def test_a_whole_file(get, server):
    assert get().read_bytes() == DATA
    assert not get.part.exists()
    assert server.asked == [None]


def test_an_early_end_is_resumed(get, server):
    server.manner = "cut"
    with pytest.raises(LedgerError, match="400000 of 1000003 bytes arrived"):
        get()
    assert not get.target.exists()
    assert get.part.stat().st_size == 400_000
    server.manner = "plain"
    assert get().read_bytes() == DATA
    assert server.asked == [None, "bytes=400000-"]


def test_a_server_that_knows_no_ranges(get, server):
    get.part.parent.mkdir()
    get.part.write_bytes(b"x" * 10)
    server.manner = "whole"
    assert get().read_bytes() == DATA


@pytest.mark.parametrize("manner", ["hang", "drip"])
def test_silence_ends_it_soon(get, server, manner):
    server.manner, started = manner, time.monotonic()
    with pytest.raises(LedgerError, match=r"no answer for|timed out|early"):
        get(silence=0.4)
    assert time.monotonic() - started < 1.5
    assert not get.target.exists()


def test_wrong_bytes_are_thrown_away(get, server):
    server.manner = "wrong"
    with pytest.raises(LedgerError, match=r"SHA-256 is .*thrown away"):
        get()
    assert not get.target.exists()
    assert not get.part.exists()


def test_a_wrong_beginning_is_caught_in_the_end(get):
    get.part.parent.mkdir()
    get.part.write_bytes(b"x" * 10)
    with pytest.raises(LedgerError, match="SHA-256"):
        get()
    assert get().read_bytes() == DATA  # the next try starts anew


@pytest.mark.parametrize(
    ("manner", "told"),
    [
        ("long", "more than the expected"),
        ("refuse", "404|Not Found"),
        ("other part", "another part"),
    ],
)
def test_answers_that_do_not_fit(get, server, manner, told):
    server.manner = manner
    get.part.parent.mkdir()
    get.part.write_bytes(DATA[:10])
    with pytest.raises(LedgerError, match=told):
        get()
    assert not get.target.exists()


def test_redirects_leave_only_to_known_hosts(get, server):
    server.manner = "away"
    with pytest.raises(LedgerError, match=r"refused: a redirect to elsewhere\.invalid"):
        get(hosts=fetch.REDIRECTS)
    assert fetch._allowed("https://cdn.hf.co/x", fetch.REDIRECTS)
    assert not fetch._allowed("http://hf.co/x", fetch.REDIRECTS)
    assert not fetch._allowed("https://evilhf.co/x", fetch.REDIRECTS)


def test_no_server_at_all(get, server):
    server.shutdown()
    server.server_close()
    with pytest.raises(LedgerError, match="refused"):
        get()


def test_two_at_once(get, server):
    get.part.parent.mkdir()
    with get.part.open("ab") as held:
        fetch.fcntl.flock(held, fetch.fcntl.LOCK_EX)
        with pytest.raises(LedgerError, match="another process"):
            get()


def test_progress_is_shown_on_a_terminal(get):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    shown = Terminal()
    get(stream=shown)
    assert "of 1 MB" in shown.getvalue()


def test_pins():
    assert fetch.REVISION in fetch.URL
    assert fetch.URL.startswith("https://")
