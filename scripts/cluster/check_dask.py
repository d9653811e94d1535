# SPDX-License-Identifier: GPL-3.0-or-later
"""Spoils runs on a real Dask scheduler with three workers on loopback, and compares the results with one machine's.

usage: check_dask.py ASSAY DRIVER
"""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SCENARIO = """name: Spoiled
kind: league.seasons
seasons: 200k
"""
ROUNDS = """name: Rounds
kind: blackjack.play
half-width: 0.001
"""
# Another GSL on a worker's machine.
OTHER_GSL = 'const char *gsl_version = "9.9";'
DASK = pathlib.Path(sys.executable).with_name("dask")


class Cluster:
    """A scheduler and workers, each its own process."""

    def __init__(self, stack):
        self.stack, self.workers = stack, []
        self.begin_scheduler()

    def begin(self, name, *arguments, **environment):
        log = open(f"{name}.log", "ab")
        process = subprocess.Popen(
            [DASK, *arguments], stdout=log, stderr=log, env=os.environ | environment, start_new_session=True)
        self.stack.callback(kill, process)
        return process

    def begin_scheduler(self):
        place = pathlib.Path("scheduler.json")
        place.unlink(missing_ok=True)
        self.scheduler = self.begin(
            "scheduler", "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", place)
        until(place.exists, "a scheduler")

    def begin_workers(self, count, **environment):
        for _ in range(count):
            self.workers.append(self.begin(
                "worker", "worker", "--scheduler-file", "scheduler.json", "--nthreads", "1", "--no-nanny",
                "--no-dashboard", "--local-directory", "workers", **environment))

    @property
    def place(self):
        return json.loads(pathlib.Path("scheduler.json").read_text())["address"]


def kill(process, how=signal.SIGKILL):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process.pid, how)
    if how == signal.SIGKILL:
        process.wait()


def until(condition, what, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"check: {what} is not there after {seconds} s")
        time.sleep(0.05)


def drive(driver, runs, scenario="spoiled.yaml", *arguments):
    return subprocess.Popen(
        [driver, scenario, "--runs", runs, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def end(process, code, *words):
    output = process.communicate(timeout=120)[0]
    if process.returncode != code or not all(word in output for word in words):
        raise SystemExit(f"check: ended with {process.returncode}, expected {code} and {words}:\n{output}")
    return output


def same(runs, what, name="spoiled"):
    alone = next(pathlib.Path("alone").glob(f"{name}-*/result.json"))
    if alone.read_bytes() != pathlib.Path(runs, *alone.parts[1:]).read_bytes():
        raise SystemExit(f"check: {what}: another result")
    print(f"check: Dask, {what}: the same bytes", flush=True)


def finished(runs):
    return list(pathlib.Path(runs).glob(".shards/*/round-*/*/done"))


def main(assay, driver):
    for name, text in {"spoiled": SCENARIO, "rounds": ROUNDS}.items():
        pathlib.Path(f"{name}.yaml").write_text(text)
        subprocess.run([assay, "run", f"{name}.yaml", "--runs", "alone", "--quiet", "--no-history"], check=True,
                       stdout=subprocess.DEVNULL)
    end(drive(driver, "local", "rounds.yaml", "--shards", "3"), 0)
    same("local", "rounds on its own cluster", "rounds")
    with contextlib.ExitStack() as stack:
        cluster = Cluster(stack)
        cluster.begin_workers(3)
        to = ["spoiled.yaml", "--scheduler", cluster.place, "--shards", "12"]

        run = drive(driver, "killed", *to)
        until(lambda: finished("killed"), "a finished shard")
        kill(cluster.workers[0])
        end(run, 0)
        same("killed", "a worker killed")

        run = drive(driver, "stopped", *to)
        until(lambda: finished("stopped"), "a finished shard")
        kill(cluster.workers[1], signal.SIGSTOP)
        end(run, 0, "takes long")
        kill(cluster.workers[1], signal.SIGCONT)
        same("stopped", "a worker that stands still")

        run = drive(driver, "ended", *to)
        until(lambda: finished("ended"), "a finished shard")
        kill(cluster.scheduler)
        end(run, 2, "the scheduler ended")
        before = {path: path.read_bytes() for path in finished("ended")}
        end(drive(driver, "ended", *to), 2, "--scheduler: found")
        for worker in cluster.workers:
            kill(worker)
        if any(path.read_bytes() != text for path, text in before.items()):
            raise SystemExit("check: a finished shard was lost with the scheduler")
        cluster.begin_scheduler()
        cluster.begin_workers(2)
        again = ["spoiled.yaml", "--scheduler", cluster.place]
        end(drive(driver, "ended", *again, "--shards", "5"), 2, "expected 12")
        end(drive(driver, "ended", *again), 0, "are done already")
        same("ended", "the scheduler killed, and another one")

        pathlib.Path("gsl.c").write_text(OTHER_GSL)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "gsl.so", "gsl.c"], check=True)
        cluster.begin_workers(1, LD_PRELOAD=str(pathlib.Path("gsl.so").absolute()))
        log = pathlib.Path("worker.log")
        until(lambda: log.read_text().count("Registered to") >= 6, "another worker")
        end(drive(driver, "other", *again), 2, "gsl 9.9, expected")
        print("check: Dask, a worker with another GSL: refused", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        main(*sys.argv[1:])
