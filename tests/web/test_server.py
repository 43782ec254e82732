"""The command: what it says when it cannot begin, and that Ctrl-C ends it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from betacut.web.apart import Helper
from support.web_server import ended, environment, started

pytest.importorskip("nicegui", reason="nicegui is not installed")


def command(*options: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "betacut", "web", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**environment(), **changes},
    )


def test_without_nicegui_it_says_what_to_install(tmp_path: Path) -> None:
    hiding = "import sys; sys.modules['nicegui'] = None"
    (tmp_path / "sitecustomize.py").write_text(hiding, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path), environment()["PYTHONPATH"]])
    done = command(PYTHONPATH=path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "betacut: the page needs NiceGUI: pip install betacut[web]\n"


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


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="another system")
def test_it_listens_on_this_machine_alone_and_ctrl_c_ends_it() -> None:
    process, address = started()
    with urllib.request.urlopen(address) as answer:
        assert answer.status == 200
    port = int(address.rpartition(":")[2])
    wanted = f":{port:04X}"
    lines = (
        Path("/proc/net/tcp").read_text().splitlines()
        + Path("/proc/net/tcp6").read_text().splitlines()
    )
    heard = [line.split()[1] for line in lines[1:] if line.split()[1].endswith(wanted)]
    assert {place.partition(":")[0] for place in heard} == {"0100007F"}
    assert ended(process) == (0, "")


@pytest.mark.skipif(not Path("/proc").exists(), reason="another system")
def test_no_process_outlives_the_server() -> None:
    script = (
        "import os, time; from betacut.web.apart import Helper; helper = Helper(); helper.start(); "
        "print(helper.pid, flush=True); time.sleep(1); os._exit(1)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
    )
    pid = int(done.stdout)
    for _ in range(200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.1)
    pytest.fail("the helper still runs")


def test_a_helper_that_was_never_used_is_closed() -> None:
    helper = Helper()
    helper.close()
    assert helper.pid is None
