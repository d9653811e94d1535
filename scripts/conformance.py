# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs Autobahn's test suite against the project's WebSocket server and client, tries both with other makes, and prints
Markdown tables of how it went.

usage: conformance.py --root FOLDER --programs FOLDER [--write] [--cases PATTERN]... [server | client | peers]...
       conformance.py --root FOLDER --programs FOLDER --self-test
       exits 1 when a case failed
"""

import argparse
import asyncio
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import websockets
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory, ServerPerMessageDeflateFactory
from websockets.sync.server import serve as serve_in_threads

AUTOBAHN = "25.10.1"
ALL_CASES = 517
# What is run side by side: most cases of the first groups wait for a second, the others take the processor.
JOBS = [["13.1.*"], ["13.3.*"], ["12.2.*"], ["12.3.*"], ["12.5.*"], ["13.2.*"], ["13.4.*"], ["13.5.*"], ["13.6.*"],
        ["13.7.*"], ["12.1.*"], ["12.4.*"], ["9.*"], ["1.*", "2.*", "3.*", "4.*", "5.*"], ["6.*"], ["7.*", "10.*"]]
GROUPS = {"1": "framing", "2": "pings and pongs", "3": "reserved bits", "4": "opcodes", "5": "fragments", "6": "UTF-8",
          "7": "closing", "9": "limits and performance", "10": "a message in automatic fragments",
          "12": "compression of different contents", "13": "compression with different parameters"}
# The worst comes first.
FAILED, NON_STRICT, INFORMATIONAL, OK = "failed", "non-strict", "informational", "ok"
VERDICTS = {"OK": OK, "NON-STRICT": NON_STRICT, "INFORMATIONAL": INFORMATIONAL}
SECONDS = 20


def number(case):
    return [int(part) for part in case.split(".")]


def verdict(result):
    """The worse of what Autobahn found of the case and of how the connection was closed; what it has no good word for
    is a failure."""
    both = [VERDICTS.get(result[key], FAILED) for key in ("behavior", "behaviorClose")]
    return min(both, key=[FAILED, NON_STRICT, INFORMATIONAL, OK].index)


# Processes

@contextlib.contextmanager
def process(command, log):
    """A process that is ended with the block."""
    with open(log, "wb") as file:
        running = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(SECONDS)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


def finish(command, log):
    """Runs a command to its end, whatever its exit code."""
    with open(log, "wb") as file:
        subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
                       timeout=1_800)


def until(condition, what):
    """Waits for a condition to give a value."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise TimeoutError(f"{what}: not within {SECONDS} s")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def is_listening(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True


@contextlib.contextmanager
def listening(command, log):
    """A server of the project: its address is the first that it prints."""
    with process(command, log) as running:
        def address():
            if running.poll() is not None:
                said = pathlib.Path(log).read_text()
                raise ChildProcessError(f"{' '.join(command)}: exit {running.returncode}\n{said}")
            return re.search(r"wss?://[^\s/]+(?=[\s/])", pathlib.Path(log).read_text())
        yield until(address, f"the address that {command[0]} listens on").group(), running


# Autobahn

class Autobahn:
    """The test suite in its own Python, with a folder for its reports."""

    def __init__(self, folder, reports, patterns):
        self.command = [str(folder / "autobahn/bin/wstest")]
        self.reports = reports
        self.jobs = [[pattern] for pattern in patterns] or JOBS
        self.expected = None if patterns else ALL_CASES

    def run(self, side, one):
        """Runs all jobs, a few at a time; every case with its result."""
        shutil.rmtree(self.reports / side, ignore_errors=True)
        results = {}
        with concurrent.futures.ThreadPoolExecutor(max_workers=2 + (os.cpu_count() or 1)) as pool:
            for found in pool.map(lambda job: one(self.reports / side / job[0].replace("*", "x"), job), self.jobs):
                results.update(found)
        return dict(sorted(results.items(), key=lambda item: number(item[0])))

    def results(self, folder):
        index = folder / "index.json"
        if not index.exists():
            return {}
        return {case: result for agent in json.loads(index.read_text()).values() for case, result in agent.items()}

    def fuzzing(self, mode, folder, cases, **specification):
        """The command that runs the cases as a client or a server, with its reports in a new folder."""
        folder.mkdir(parents=True)
        file = folder / "specification.json"
        file.write_text(json.dumps({
            **specification, "outdir": str(folder), "cases": cases, "exclude-cases": [], "exclude-agent-cases": {}}))
        return [*self.command, "-m", f"fuzzing{mode}", "-s", str(file)]

    def against_server(self, address):
        """Autobahn's client against a server that sends every message back."""
        def one(folder, cases):
            command = self.fuzzing("client", folder, cases, servers=[{"agent": "assay", "url": address}])
            finish(command, folder / "log.txt")
            return self.results(folder)
        return self.run("server", one)

    def against_client(self, client):
        """Autobahn's server against `client(address, log)`, which goes through all cases that the server has."""
        def one(folder, cases):
            port = free_port()
            address = f"ws://127.0.0.1:{port}"
            command = self.fuzzing("server", folder, cases, url=address)
            with process([*command, "-u", "0"], folder / "log.txt"):
                until(lambda: is_listening(port), "Autobahn's server")
                client(address, folder / "client.txt")
            return self.results(folder)
        return self.run("client", one)


def problems(side, results, expected):
    """What of Autobahn's results has to be fixed."""
    found = [f"{side}: case {case} failed: {result['behavior']}, closing {result['behaviorClose']}"
             f" (code {result['remoteCloseCode']})" for case, result in results.items() if verdict(result) == FAILED]
    if expected is None and not results:
        found.append(f"{side}: no case was run")
    if expected is not None and len(results) != expected:
        found.append(f"{side}: {len(results)} of {expected} cases have a result")
    return found


def autobahn_table(sides):
    """Cases by group, for each side."""
    names = list(sides)
    lines = ["| cases | " + " | ".join(f"{name}: ok | non-strict | informational | failed" for name in names) + " |",
             "|---|" + "---|" * 4 * len(names)]
    def row(title, chosen):
        counts = []
        for name in names:
            found = collections.Counter(verdict(result) for case, result in sides[name].items() if chosen(case))
            counts += [str(found[each] or "") for each in (OK, NON_STRICT, INFORMATIONAL, FAILED)]
        lines.append(f"| {title} | " + " | ".join(counts) + " |")
    for group, title in GROUPS.items():
        if any(case.split(".")[0] == group for results in sides.values() for case in results):
            row(f"{group}.* {title}", lambda case: case.split(".")[0] == group)
    row("all", lambda case: True)
    return lines


def remarks(side, results, reports):
    """The cases that are neither ok nor failed, with what Autobahn says of each."""
    lines = []
    for case, result in results.items():
        found = verdict(result)
        if found in (NON_STRICT, INFORMATIONAL):
            report = next(reports.joinpath(side).glob(f"*/{result['reportfile']}"), None)
            said = json.loads(report.read_text()) if report else {}
            words = re.sub(r"<[^>]*>|\s+", " ", f"{said.get('description', '')} {said.get('result', '')}")
            words = re.sub(" +(?=[ .])", "", words).strip()
            lines.append(f"| {case} | {side} | {found} | {words.replace('|', '/')} |")
    return lines


# Other makes

class Peers:
    """Checks of our server and client with other makes of both, each with its name."""

    def __init__(self, programs, autobahn, scratch):
        self.live = [str(programs / "assay-live"), "live"]
        self.autobahn = autobahn
        self.scratch = pathlib.Path(scratch)
        self.results = []

    def check(self, peer, name, action):
        """Runs a check, which raises where something is wrong."""
        try:
            result = action()
            if asyncio.iscoroutine(result):
                asyncio.run(asyncio.wait_for(result, SECONDS))
            problem = None
        except Exception as error:  # noqa: BLE001: whatever a peer or a check may raise is a finding
            problem = f"{type(error).__name__}: {error}"
            if not isinstance(error, AssertionError):
                traceback.print_exc()
        self.results.append((peer, name, problem))

    def table(self):
        lines = ["| peer | what was tried | |", "|---|---|---|"]
        return lines + [f"| {peer} | {name} | {'ok' if problem is None else 'failed'} |"
                        for peer, name, problem in self.results]

    def problems(self):
        return [f"{peer}, {name}: {problem}" for peer, name, problem in self.results if problem]

    def certificate(self):
        """A certificate for this machine, signed by itself."""
        certificate, key = self.scratch / "certificate.pem", self.scratch / "key.pem"
        if not certificate.exists():
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                 "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
        return certificate, key

    # Clients of another make at our server

    def serve(self, *options):
        return listening([*self.live, "serve", "--echo", "--port", "0", *options], self.scratch / "serve.txt")

    def websockets_at_our_server(self):
        peer = "websockets' client at `live serve`"
        with self.serve() as (address, server):
            for name, compression in [("compressed", "deflate"), ("not compressed", None)]:
                self.check(peer, f"texts and binary messages, {name}", lambda: echoes(address, compression))
                self.check(peer, f"a message in fragments, {name}", lambda: echoes_fragments(address, compression))
            self.check(peer, "small windows and no context kept", lambda: echoes_with_small_windows(address))
            self.check(peer, "a ping", lambda: answers_ping(address))
            for code in (1000, 1001, 3000, 4999):
                self.check(peer, f"closing with {code}", lambda: answers_close(address, code))
            self.check(peer, "a message that is too big: 1009", lambda: refuses_big(address))
            self.check(peer, "a hundred connections at a time", lambda: echoes_all(address, 100))
            self.check(peer, "the server is stopped: 1001", lambda: leaves_with(address, server, 1001))
        certificate, key = self.certificate()
        with self.serve("--certificate", str(certificate), "--key", str(key)) as (address, _):
            trusting = ssl.create_default_context(cafile=certificate)
            self.check(peer, "over TLS", lambda: echoes(address, "deflate", ssl=trusting))

    def node_at_our_server(self):
        peer = "Node.js' client at `live serve`"
        node = shutil.which("node")
        found = subprocess.run([node, "--experimental-websocket", "-p", "typeof WebSocket"], capture_output=True,
                               text=True, check=False).stdout.strip() if node else ""
        if found != "function":
            print("Node.js with a WebSocket (from 20.10 on) is not here, and left out", file=sys.stderr)
            return
        script = self.scratch / "client.js"
        script.write_text(NODE)
        with self.serve() as (address, _):
            def run():
                ended = subprocess.run([node, "--experimental-websocket", str(script), address], capture_output=True,
                                       text=True, timeout=SECONDS, check=False)
                assert ended.returncode == 0, ended.stdout + ended.stderr
            self.check(peer, "texts and binary messages, closing with 4001", run)

    # Our client at servers of another make

    def listen(self, address, *options):
        """The lines that `live listen` prints until it ends by itself, what it reports, and its exit code."""
        ended = subprocess.run([*self.live, "listen", address, *options], capture_output=True, text=True,
                               timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
        return ended.stdout.splitlines(), ended.stderr, ended.returncode

    async def listens(self, handler, *options, expecting, code=0, scheme="ws", reports=None, **server):
        """Runs `live listen` at a server of websockets', and compares what it prints."""
        async with serve(handler, "127.0.0.1", 0, **server) as running:
            address = f"{scheme}://localhost:{running.sockets[0].getsockname()[1]}/"
            lines, said, ended = await asyncio.to_thread(self.listen, address, *options)
        assert lines == expecting, f"printed {lines!r}, expected {expecting!r}\n{said}"
        assert ended == code, f"exit code {ended}, expected {code}\n{said}"
        assert reports is None or reports in said, f"reported {said!r}, expected {reports!r}"

    def our_client_at_websockets(self):
        peer = "`live listen` at websockets' server"
        texts = ["one", "zwei", "\u0442\u0440\u0438 \U0001f30d", "four " * 10_000]

        async def send(connection):
            for text in texts:
                await connection.send(text)
            await connection.wait_closed()

        async def send_bytes(connection):
            await connection.send(bytes(range(256)))
            await connection.send([b"in ", b"three ", b"fragments"])
            await connection.wait_closed()

        async def send_back(connection):
            async for message in connection:
                await connection.send(message[::-1])

        def closing(*codes):
            remaining = list(codes)

            async def close(connection):
                if remaining:
                    await connection.close(remaining.pop(0), "because")
                else:
                    await send(connection)
            return close

        count = ("--count", str(len(texts)))
        for name, compression in [("compressed", "deflate"), ("not compressed", None)]:
            self.check(peer, f"texts, {name}", lambda: self.listens(
                send, *count, expecting=texts, compression=compression))
            self.check(peer, f"bytes and fragments, {name}", lambda: self.listens(
                send_bytes, "--count", "2", compression=compression,
                expecting=[bytes(range(256)).hex(), b"in three fragments".hex()]))
            self.check(peer, f"messages both ways, {name}", lambda: self.listens(
                send_back, "--send", "stressed " * 50, "--count", "1", compression=compression,
                expecting=[("stressed " * 50)[::-1]]))
        self.check(peer, "small windows and no context kept", lambda: self.listens(
            send, *count, expecting=texts, compression=None, extensions=[ServerPerMessageDeflateFactory(
                server_no_context_takeover=True, client_no_context_takeover=True, server_max_window_bits=9,
                client_max_window_bits=9, require_client_max_window_bits=True)]))
        for code in (1000, 1001, 1011, 4321):
            self.check(peer, f"closed with {code}, and back again", lambda: self.listens(
                closing(code), *count, expecting=texts, reports=f"closed with {code} by the server"))
        self.check(peer, "closed with 1002 for good: exit code 2", lambda: self.listens(
            closing(1002), *count, expecting=[], code=2, reports="1002"))
        refusals = [503, 503]

        def refuse(connection, _):
            return connection.respond(refusals.pop(), "later\n") if refusals else None

        self.check(peer, "refused with 503 twice, then let in", lambda: self.listens(
            send, *count, "--wait", expecting=texts, process_request=refuse, reports="503"))
        certificate, key = self.certificate()
        secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secure.load_cert_chain(certificate, key)
        self.check(peer, "over TLS", lambda: self.listens(
            send, *count, "--authorities", str(certificate), expecting=texts, scheme="wss", ssl=secure))
        self.check(peer, "over TLS with a certificate that nobody signed: exit code 2", lambda: self.listens(
            send, *count, expecting=[], code=2, scheme="wss", ssl=secure, reports="certificate"))

    def our_client_at_autobahn(self):
        peer = "`live listen` at Autobahn's echo"
        port = free_port()
        command = [*self.autobahn.command, "-m", "echoserver", "-u", "0", "-w", f"ws://127.0.0.1:{port}"]
        with process(command, self.scratch / "echo.txt"):
            until(lambda: is_listening(port), "Autobahn's echo")

            def run():
                text = "to and fro " * 100
                lines, said, code = self.listen(
                    f"ws://127.0.0.1:{port}/", "--send", text, "--send", "short", "--count", "2")
                assert (lines, code) == ([text, "short"], 0), f"printed {lines!r}, exit code {code}\n{said}"
            self.check(peer, "messages both ways", run)

    def run(self):
        self.websockets_at_our_server()
        self.node_at_our_server()
        self.our_client_at_websockets()
        self.our_client_at_autobahn()


NODE = r"""
const socket = new WebSocket(process.argv[2]);
socket.binaryType = "arraybuffer";
const sent = ["text", "\u{1F30D}".repeat(10000), new Uint8Array(100000).map((_, place) => place)];
const arrived = [];
const fail = why => { console.log(why); process.exit(1); };
socket.onopen = () => sent.forEach(each => socket.send(each));
socket.onerror = event => fail(`error: ${event.message}`);
socket.onmessage = event => {
  arrived.push(event.data);
  if (arrived.length === sent.length) socket.close(4001, "done");
};
socket.onclose = event => {
  const bytes = each => Buffer.from(each);
  if (arrived.length !== sent.length) fail(`${arrived.length} messages arrived`);
  sent.forEach((each, place) => {
    if (Buffer.compare(bytes(each), bytes(arrived[place])) !== 0) fail(`message ${place} differs`);
  });
  if (event.code !== 4001 || !event.wasClean) fail(`closed with ${event.code}, clean: ${event.wasClean}`);
};
"""


async def echoes(address, compression, **options):
    """Texts and binary messages of many sizes come back as they were sent."""
    async with connect(address, compression=compression, max_size=None, **options) as connection:
        negotiated = [extension.name for extension in connection.protocol.extensions]
        assert negotiated == (["permessage-deflate"] if compression else []), f"extensions {negotiated}"
        for size in (0, 1, 31, 125, 126, 4_096, 65_535, 65_536, 1_000_000):
            for message in ("\u20ac" * (size // 3) + "x" * (size % 3), os.urandom(size), bytes(size)):
                await connection.send(message)
                back = await connection.recv()
                assert back == message, f"{len(message)} sent, {len(back)} of {type(back).__name__} came back"


async def echoes_fragments(address, compression):
    async with connect(address, compression=compression) as connection:
        parts = ["part %d, " % number * number for number in range(20)]
        await connection.send(parts)
        assert await connection.recv() == "".join(parts), "the parts differ"


async def echoes_with_small_windows(address):
    extensions = [ClientPerMessageDeflateFactory(
        server_no_context_takeover=True, client_no_context_takeover=True, server_max_window_bits=9,
        client_max_window_bits=9)]
    async with connect(address, compression=None, extensions=extensions) as connection:
        agreed = repr(connection.protocol.extensions)
        assert "local_max_window_bits=9" in agreed and "remote_max_window_bits=9" in agreed, f"agreed on {agreed}"
        for number in range(50):
            message = f"the same again and again, {number}; " * 100
            await connection.send(message)
            assert await connection.recv() == message, "the messages differ"


async def answers_ping(address):
    async with connect(address) as connection:
        await asyncio.wait_for(await connection.ping(b"some payload"), SECONDS)


async def answers_close(address, code):
    async with connect(address) as connection:
        await connection.close(code, "why not")
        assert connection.protocol.close_rcvd is not None, "no close frame came back"
        assert connection.protocol.close_rcvd.code == code, f"answered with {connection.protocol.close_rcvd}"


async def refuses_big(address):
    connection = await connect(address, compression=None, max_size=None)
    try:
        await connection.send(bytes(2 << 20))
        await connection.recv()
    except ConnectionClosed as closed:
        assert closed.rcvd is not None and closed.rcvd.code == 1009, f"closed with {closed.rcvd}, expected 1009"
    else:
        raise AssertionError("a message of 2 MiB came back")


async def echoes_all(address, count):
    async def one(number):
        async with connect(address) as connection:
            for turn in range(10):
                await connection.send(f"{number}: {turn}")
                assert await connection.recv() == f"{number}: {turn}", "the messages differ"
    await asyncio.gather(*map(one, range(count)))


async def leaves_with(address, server, code):
    async with connect(address) as connection:
        await connection.send("still there?")
        await connection.recv()
        server.send_signal(signal.SIGINT)
        await connection.wait_closed()
        assert connection.close_code == code, f"closed with {connection.close_code}, expected {code}"
    until(lambda: server.poll() is not None, "the server's end")


# What the script itself may miss

@contextlib.contextmanager
def wrong_server(change):
    """An echo of websockets' that changes every message, in its own thread; its address."""
    def answer(connection):
        with contextlib.suppress(ConnectionClosed):
            for message in connection:
                connection.send(change(message))

    with serve_in_threads(answer, "127.0.0.1", 0, max_size=None) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"


def echo_client(change):
    """A client of websockets' for Autobahn's server."""
    async def cases(address):
        async with connect(f"{address}/getCaseCount") as connection:
            count = int(await connection.recv())
        for case in range(1, count + 1):
            with contextlib.suppress(ConnectionClosed):
                async with connect(f"{address}/runCase?case={case}&agent=assay", max_size=None) as connection:
                    async for message in connection:
                        await connection.send(change(message))
        async with connect(f"{address}/updateReports?agent=assay") as connection:
            await connection.wait_closed()
    return lambda address, _: asyncio.run(cases(address))


def self_test(folder, reports):
    """Both directions of Autobahn and the checks of other makes find a fault, and find none where there is none."""
    missed = []
    def expect(name, found, count):
        print(f"{name}: {len(found)} problems found, {count} expected")
        if len(found) != count:
            missed.append(f"{name}: {found}")
    for name, change, wrong in [("a right echo", lambda message: message, False),
                                ("an echo that shortens messages", lambda message: message[:-1], True)]:
        autobahn = Autobahn(folder, reports / "self-test", ["1.1.2", "1.2.2"])
        with wrong_server(change) as address:
            expect(f"{name}, server", problems("server", autobahn.against_server(address), None), 2 * wrong)
            peers = Peers(pathlib.Path("/none"), autobahn, reports)
            peers.check("websockets", "echo", lambda: echoes(address, "deflate"))
            expect(f"{name}, websockets", peers.problems(), 1 * wrong)
        found = autobahn.against_client(echo_client(change))
        expect(f"{name}, client", problems("client", found, None), 2 * wrong)
        expect(f"{name}, a case missing", problems("client", found, 3), 2 * wrong + 1)
    expect("a client that runs no case", problems("client", autobahn.against_client(lambda *_: None), None), 1)
    return missed


# The whole

HEADING = f"""# WebSocket conformance

Made by `scripts/conformance --write`, which needs Python 2.7 for Autobahn and installs everything else below `.build`.

## Autobahn

The cases of [Autobahn|Testsuite](https://github.com/crossbario/autobahn-testsuite) {AUTOBAHN}: its client against
`assay live serve --echo`, and its server against a client made with `WebSocketClient.connect`. Compression is on
both ways.
"""
NOTES = """
Non-strict is a reaction that Autobahn accepts although it expects an earlier or another one; informational is one
that the standard leaves open.
"""


def main():
    parser = argparse.ArgumentParser(prog="scripts/conformance")
    parser.add_argument("--root", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--cases", action="append", default=[])
    parser.add_argument("parts", nargs="*", metavar="server | client | peers")
    options = parser.parse_args()
    parts = options.parts or ["server", "client", "peers"]
    if unknown := set(parts) - {"server", "client", "peers"}:
        parser.error(f"found '{unknown.pop()}', expected server, client or peers")
    if options.write and (options.cases or len(set(parts)) < 3):
        parser.error("--write is for all cases and all parts")
    folder = options.root / ".build/conformance"
    reports = folder / "reports"
    if options.self_test:
        missed = self_test(folder, reports)
        for each in missed:
            print(f"missed: {each}")
        return 1 if missed else 0

    autobahn = Autobahn(folder, reports, options.cases)
    sides, found, document = {}, [], []
    with tempfile.TemporaryDirectory() as scratch:
        peers = Peers(options.programs, autobahn, scratch)
        if "server" in parts:
            with peers.serve("--max-message", str(16 << 20)) as (address, _):
                sides["server"] = autobahn.against_server(address)
        if "client" in parts:
            sides["client"] = autobahn.against_client(lambda address, log: finish(
                [str(options.programs / "socket-benchmark"), "autobahn", address], log))
        if sides:
            document += autobahn_table(sides)
            for side, results in sides.items():
                found += problems(side, results, autobahn.expected)
            lines = [line for side, results in sides.items() for line in remarks(side, results, reports)]
            if lines:
                document += [*NOTES.rstrip().splitlines(), "", "| case | side | | what was tried, and what happened |",
                             "|---|---|---|---|", *lines]
        if "peers" in parts:
            peers.run()
            document += ["", "## Other makes", "",
                         f"`websockets` {websockets.__version__} for Python, Node.js' own client, "
                         "Autobahn's echo server.",
                         "", *peers.table()]
            found += peers.problems()
    print("\n".join(document))
    for each in found:
        print(f"failed: {each}", file=sys.stderr)
    if options.write:
        (options.root / "docs/records/websocket-conformance.md").write_text(
            HEADING + "\n" + "\n".join(document) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
