# SPDX-License-Identifier: GPL-3.0-or-later
"""A client of toxiproxy's HTTP API, which runs the examples of toxiproxy's README against `assay live proxy`.

usage: toxiproxy.py ASSAY_LIVE

Each example is stated as it is checked; the first that does not hold ends the run with a traceback. Where the README
waits for a second, the data here wait until the toxic is removed, so that no check depends on the machine's speed.
"""

import contextlib
import json
import select
import socket
import socketserver
import subprocess
import sys
import threading
import urllib.error
import urllib.request


class Toxiproxy:
    """The API by its address."""

    def __init__(self, url):
        self.url = url

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def populate(self, proxies):
        status, answer = self.ask("POST", "/populate", proxies)
        assert status == 201, answer
        return {proxy["name"]: proxy for proxy in answer["proxies"]}

    @contextlib.contextmanager
    def toxic(self, proxy, kind, stream="downstream", toxicity=1.0, **attributes):
        """Holds while the block runs, as `apply` of the Ruby client."""
        body = {"type": kind, "stream": stream, "toxicity": toxicity, "attributes": attributes}
        status, toxic = self.ask("POST", f"/proxies/{proxy}/toxics", body)
        assert status == 200 and toxic["name"] == f"{kind}_{stream}", toxic
        yield
        assert self.ask("DELETE", f"/proxies/{proxy}/toxics/{toxic['name']}") == (204, None)

    @contextlib.contextmanager
    def down(self, proxy):
        assert self.ask("PATCH", f"/proxies/{proxy}", {"enabled": False})[1]["enabled"] is False
        yield
        assert self.ask("PATCH", f"/proxies/{proxy}", {"enabled": True})[1]["enabled"] is True


class Store(socketserver.StreamRequestHandler):
    """A server of the lines SET NAME VALUE, GET NAME and DEL NAME, in place of Redis."""

    values = {}

    def handle(self):
        with contextlib.suppress(ConnectionError):
            for line in self.rfile:
                self.wfile.write(f"{self.answer(*line.decode().split())}\n".encode())

    def answer(self, command, name, value=""):
        if command == "SET":
            self.values[name] = value
            return "OK"
        if command == "DEL":
            return "1" if self.values.pop(name, None) else "0"
        return self.values.get(name, "nil")


class Connection:
    def __init__(self, listen):
        host, port = listen.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)))
        self.lines = self.socket.makefile()

    def send(self, line):
        self.socket.sendall(f"{line}\n".encode())

    def ask(self, line):
        self.send(line)
        return self.lines.readline().strip()

    @property
    def is_silent(self):
        return not select.select([self.socket], [], [], 0)[0]


def is_refused(listen):
    try:
        Connection(listen)
    except ConnectionRefusedError:
        return True
    return False


def examples(api, upstream):
    print("populating: proxies are created once, and left alone the second time")
    wanted = [
        {"name": name, "listen": "127.0.0.1:0", "upstream": upstream}
        for name in ("shopify_test_redis_master", "shopify_test_mysql_master")
    ]
    made = api.populate(wanted)
    wanted = [{**proxy, "listen": made[proxy["name"]]["listen"]} for proxy in wanted]
    assert api.populate(wanted) == made
    assert api.ask("GET", "/proxies") == (200, made)
    redis, mysql = "shopify_test_redis_master", "shopify_test_mysql_master"
    listen = made[redis]["listen"]

    print("SET omg pandas, GET omg")
    client = Connection(listen)
    assert client.ask("SET omg pandas") == "OK"
    assert client.ask("GET omg") == "pandas"

    assert client.ask("DEL nothing") == "0"

    print("latency: the answer is late, that of another proxy is not, and removing the toxic lets it pass")
    with api.toxic(redis, "latency", latency=3_600_000):
        client.send("GET omg")
        assert Connection(made[mysql]["listen"]).ask("GET omg") == "pandas"
        assert client.is_silent
    assert client.lines.readline() == "pandas\n"
    with api.toxic(redis, "latency", latency=1000):
        assert client.ask("GET omg") == "pandas"

    print("down: connections end and new ones are refused, until the service is up")
    with api.down(redis):
        assert client.lines.readline() == ""
        assert is_refused(listen)
    client = Connection(listen)
    assert client.ask("GET omg") == "pandas"

    print("bandwidth of 0, timeout, limit_data and reset_peer, as its clients cut connections")
    with api.toxic(redis, "bandwidth", rate=0):
        client.send("GET omg")
        assert Connection(made[mysql]["listen"]).ask("GET omg") == "pandas"
        assert client.is_silent
    assert client.lines.readline() == "pandas\n"
    with api.toxic(redis, "timeout", timeout=1):
        assert Connection(listen).ask("GET omg") == ""
    with api.toxic(redis, "limit_data", bytes=3):
        assert Connection(listen).ask("GET omg") == "pan"
    with api.toxic(redis, "reset_peer", stream="upstream", timeout=0):
        try:
            Connection(listen).ask("GET omg")
        except ConnectionResetError:
            pass
        else:
            raise AssertionError("no reset")

    print("slicer and slow_close, which lose nothing")
    with api.toxic(redis, "slicer", average_size=2, size_variation=1, delay=1000), api.toxic(
        redis, "slow_close", delay=1
    ):
        assert Connection(listen).ask("GET omg") == "pandas"

    print("reset enables all proxies and removes all toxics")
    api.ask("POST", f"/proxies/{redis}/toxics", {"type": "latency", "attributes": {"latency": 5000}})
    api.ask("POST", f"/proxies/{mysql}", {"enabled": False})
    assert api.ask("POST", "/reset") == (204, None)
    assert api.ask("GET", "/proxies") == (200, made)

    print("delete: the proxy is gone, and connections are refused")
    assert api.ask("DELETE", f"/proxies/{redis}") == (204, None)
    assert api.ask("GET", f"/proxies/{redis}") == (404, {"error": "proxy not found", "status": 404})
    assert is_refused(listen)


def main():
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Store)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = [sys.argv[1], "live", "proxy", "--api", "toxiproxy", "--control", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as proxy:
        try:
            url = proxy.stdout.readline().split()[-1]
            examples(Toxiproxy(url), f"127.0.0.1:{server.server_address[1]}")
        finally:
            proxy.terminate()
    print("All examples hold.")


if __name__ == "__main__":
    main()
