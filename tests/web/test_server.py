"""The command: what it says when it cannot begin, and that Ctrl-C ends it."""

import errno
import os
import re
import signal
import socket
import subprocess
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

import betacut
from betacut.web.server import listen
from support.commands import run_python
from support.web_server import environment, running, started

pytest.importorskip("uvicorn", reason="uvicorn is not installed")
pytest.importorskip("starlette", reason="starlette is not installed")

from betacut.web.app import FOR_EVER
from betacut.web.files import HOME


def command(*options: str, **changes: str) -> subprocess.CompletedProcess[str]:
    settings = {"timeout": 120, "env": {**environment(), **changes}}
    return run_python("-m", "betacut", "web", *options, **settings)


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "websockets"])
def test_without_its_packages_it_says_what_to_install(tmp_path: Path, package: str) -> None:
    hiding = f"import sys; sys.modules['{package}'] = None"
    (tmp_path / "sitecustomize.py").write_text(hiding, encoding="utf-8")
    done = command(PYTHONPATH=os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]]))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f'betacut: the page needs {package}: pip install "betacut[web]"\n'


def test_the_package_may_be_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(Path(betacut.__file__).parents[1])
    script = "from betacut.web.files import FILES; print('views/chess.js' in FILES)"
    settings = {**environment(), "PYTHONPATH": str(tmp_path / "link")}
    assert run_python("-c", script, env=settings).stdout == "True\n"


def test_a_terminal_without_block_characters_has_no_qr_code() -> None:
    pytest.importorskip("segno", reason="segno is not installed")
    process, server = started("--class", "--host", "127.0.0.1", PYTHONIOENCODING="ascii")
    assert answer(server, "/class")[0] == 200
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert (process.returncode, errors, "???" in printed) == (0, "", False)


def test_a_port_that_is_taken() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = command("--port", str(port))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"betacut: cannot listen at '127.0.0.1', port {port}: Address already in use; "
        "--port 0 takes one that is free\n"
    )


def test_an_address_of_another_machine() -> None:
    done = command("--host", "192.0.2.1")
    assert done.returncode == 1
    assert done.stderr.startswith("betacut: cannot listen at '192.0.2.1', port 8080: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("error", [errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EADDRINUSE])
def test_an_address_that_the_machine_lacks(monkeypatch: pytest.MonkeyPatch, error: int) -> None:
    """A name is heard at its other addresses, unless something else keeps one from it."""
    real = socket.create_server

    def create(address: tuple[str, int], **settings: Any) -> socket.socket:  # noqa: ANN401
        if ":" in address[0]:
            raise OSError(error, os.strerror(error))
        return real(address, **settings)

    found = [(socket.AF_INET, 1, 6, "", ("127.0.0.1", 0)), (socket.AF_INET6, 1, 6, "", ("::1", 0))]
    monkeypatch.setattr(socket, "create_server", create)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    if error == errno.EADDRINUSE:
        with pytest.raises(OSError, match="cannot listen at 'localhost', port 0: Address already"):
            listen("localhost", 0)
        return
    for _ in range(2):
        (one,) = listen("localhost", 0)
        with one:
            assert one.getsockname()[0] == "127.0.0.1"
        found.reverse()
    del found[0]
    with pytest.raises(OSError, match="cannot listen at 'localhost', port 0: "):
        listen("localhost", 0)


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="another system")
def test_it_listens_on_this_machine_alone(server: str) -> None:
    assert answer(server, "/")[0] == 200
    port = int(server.rpartition(":")[2])
    table = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
    assert set(re.findall(rf"^ *\d+: (\w+):{port:04X} ", table, re.MULTILINE)) == {"0100007F"}


def answer(
    address: str, path: str, told: str = "content-security-policy", **headers: str
) -> tuple[int, str, str]:
    """What the server answers to a request with these headers, and one header of the answer."""
    with closing(HTTPConnection(address.rpartition("/")[2], timeout=60)) as connection:
        connection.request("GET", path, headers=headers)
        found = connection.getresponse()
        text = found.read().decode() if found.status != 101 else ""
        return found.status, text, found.headers[told]


def test_whom_it_answers(server: str) -> None:
    """Pages of others cannot use it: neither from their own name nor by a name that leads here."""
    here = server.rpartition("/")[2]
    port = here.rpartition(":")[2]
    opening = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    opening["Sec-WebSocket-Key"] = "x" * 22 + "=="

    def opened(**headers: str) -> int:
        return answer(server, "/betacut/socket", **headers, **opening)[0]

    for host in (here, f"localhost:{port}", f"[::1]:{port}", "chess.example.org"):
        assert answer(server, "/betacut/ping", Host=host)[:2] == (200, '"pong"')
    for host in ("evil.example.org", f"evil.example.org:{port}", "[", ""):
        status, text, _ = answer(server, "/play", Host=host)
        assert (status, "not known as" in text) == (403, True), host
    for origin in ("https://evil.example.org", "null", f"http://localhost:{int(port) + 1}", ""):
        assert answer(server, "/betacut/ping", Origin=origin)[0] == opened(Origin=origin) == 403
    assert opened(Origin=server) == opened() == 101
    assert opened(Host="chess.example.org", Origin="https://chess.example.org") == 101
    assert opened(Host="evil.example.org") == 403


def test_only_rooms_are_pages(server: str) -> None:
    for room in ("", "play", "watch", "analyse", "inside"):
        assert answer(server, f"/{room}")[0] == 200
    for path in ("/docs", "/openapi.json", "/wach", "/play/play", "/%3Cscript%3E"):
        status, text, _ = answer(server, path)
        assert status == 404
        assert 'href="/play"' in text
        assert "<script" not in text
    assert "did you mean &#x27;watch&#x27;?" in answer(server, "/wach")[1]


def test_the_policy(server: str) -> None:
    _, text, policy = answer(server, "/play?vs=%3Cscript%3E")
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert re.findall(r"unsafe|https?:|\*", policy) == []
    scripts = re.findall(r"<script\b.*</script>", text)
    assert scripts == [f'<script type="module" src="{HOME}/web/page/main.js"></script>']


def test_browsers_keep_the_files_and_ask_for_the_page(server: str) -> None:
    """What a file holds is a part of its address."""
    assert answer(server, "/play", "cache-control")[2] == "no-cache"
    assert answer(server, f"{HOME}/style.css", "cache-control")[2] == FOR_EVER
    assert re.fullmatch(rf"/betacut/{betacut.__version__}-[0-9a-f]{{12}}", HOME)


OTHERS = """
__init__.py web/app.py ../../../../etc/passwd ..%2f..%2f..%2fetc%2fpasswd web/page/../app.py
/etc/passwd
"""


@pytest.mark.parametrize("path", OTHERS.split())
def test_no_other_file_is_handed_out(server: str, path: str) -> None:
    known = (f"{HOME}/web/page/page.js", 200)
    for where, status in ((f"{HOME}/{path}", 404), known, ("/betacut/data/nothing", 404)):
        found, _, policy = answer(server, where)
        assert found == status
        assert "default-src 'none'" in policy


needs_ipv6 = pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="IPv4")


@pytest.mark.parametrize("host", ["0.0.0.0", pytest.param("::", marks=needs_ipv6)])
def test_a_server_that_all_may_hear_answers_by_any_name(host: str) -> None:
    with running("--host", host) as address:
        assert answer(address, "/betacut/ping", Host="class.example.org")[0] == 200
        assert answer(address, "/betacut/ping", Origin="http://evil.example.org")[0] == 403


def test_a_class_behind_a_proxy_comes_to_the_address_of_the_network_too() -> None:
    with running("--class", "--name", "chess.example.org") as address:
        assert answer(address, "/class")[0] == 200
        assert answer(address, "/class", Host="chess.example.org")[0] == 200
        assert answer(address, "/class", Host="evil.example.org")[0] == 403
