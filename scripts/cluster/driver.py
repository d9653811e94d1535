# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays a scenario in shards on Dask workers, round by round, and merges them; `scripts/cluster/dask` calls it.

What is finished lies in the folder of the runs, which all workers see; futures carry nothing, since what they carry
would have to be fetched from a worker that may have ended or stand still. So the scheduler, any worker and this program
may end at any moment, and the same command goes on:

    DIR/.shards/<run>/assay, session, shards       the program, who drives it, how many shards
    DIR/.shards/<run>/round-2/after/               the merged run that the round comes after
    DIR/.shards/<run>/round-2/17/<attempt>/<run>/  shard 17 as one worker plays it, with its checkpoint
    DIR/.shards/<run>/round-2/17/done              which attempt is whole
    DIR/.shards/<run>/round-2/17/error-<session>   why it cannot be played, for a person

An attempt begins with what the longest earlier one has finished. Two at once do no harm: a block is the same wherever
it is played, and the first that is done counts.
"""

import argparse
import asyncio
import collections
import concurrent.futures
import contextlib
import ctypes
import dataclasses
import hashlib
import json
import logging
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

import dask
import distributed

# A shard that takes this many times as long as most is played a second time, on another worker.
STRAGGLER = 2
# The last of that number of shards has no blocks, so that a run of it ends at once.
NOTHING = "1000000000/1000000000"


class Refused(Exception):
    """Bad input, or a cluster that cannot be used: exit 2."""


@dataclasses.dataclass(frozen=True)
class Job:
    """What a worker needs to know of a round."""

    work: str
    folder: str
    arguments: tuple
    shards: int
    session: str
    digest: str
    header: dict
    cwd: str
    jobs: int

    @property
    def program(self):
        return f"{self.work}/assay"

    @property
    def place(self):
        """Where files that a scenario names are, if the worker has that folder."""
        return self.cwd if os.path.isdir(self.cwd) else self.work

    @property
    def goes_on(self):
        """Whether the driver that handed it out is still the one that drives."""
        try:
            return pathlib.Path(self.work, "session").read_text() == self.session
        except OSError:
            return False


def environment():
    """That of this process, but for the name by which the program calls itself."""
    return os.environ | {"ASSAY_CALLED_AS": "assay"}


def header(checkpoint: pathlib.Path) -> dict:
    """Which run a checkpoint is of: scenario, version, libraries, digest of the program."""
    with checkpoint.open("rb") as file:
        found = json.loads(file.readline().split(b" ", 1)[1])
    # A copy of the program does not know its commit; its digest counts.
    return {key: value for key, value in found.items() if key not in ("shard", "commit", "isChanged")}


def probe(program: str, arguments: tuple, cwd: str) -> dict:
    """What the program on this machine writes above its checkpoints."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", *arguments, "--shard", NOTHING, "--runs", folder, "--quiet", "--no-history"]
        try:
            ended = subprocess.run(
                command, cwd=cwd, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        except OSError as error:
            raise Refused(f"{program} cannot be run: {error}") from None
        if ended.returncode:
            raise Refused(ended.stderr.strip().removeprefix("error: ") or f"{program} ended with {ended.returncode}")
        return header(next(pathlib.Path(folder).glob("*/checkpoint")))


def check(job: Job, dask_worker=None) -> str:
    """Why this worker cannot play the job; empty where it can. A worker is asked once in a session."""
    worker = dask_worker or distributed.get_worker()
    if getattr(worker, "assay_session", None) == job.session:
        return ""
    if not job.goes_on:
        return f"it does not see the same {job.work}; choose --runs in a folder that all machines share"
    digest = hashlib.sha256(pathlib.Path(job.program).read_bytes()).hexdigest()
    if digest != job.digest:
        return f"{job.program} has SHA-256 {digest[:12]} there, expected {job.digest[:12]}; remove it"
    try:
        found = probe(job.program, job.arguments, job.place)
    except Refused as error:
        return str(error)
    facts = [f"{key} {found.get(key)}, expected {job.header[key]}" for key in job.header
             if found.get(key) != job.header[key]]
    if facts:
        return f"found {'; '.join(facts)}"
    worker.assay_session = job.session
    return ""


def play(job: Job, number: int) -> None:
    """Plays one shard on a worker, and leaves the file that says so; an exception asks for another attempt."""
    worker = distributed.get_worker()
    place = pathlib.Path(job.folder, str(number))
    done, attempt = place / "done", place / uuid.uuid4().hex[:8]
    attempt.mkdir(parents=True)

    def refuse(problem):
        mark(place / f"error-{job.session}", f"worker {worker.address} cannot play this run: {problem}")

    if problem := check(job):
        return refuse(problem)
    earlier = max(place.glob("*/*/checkpoint"), key=lambda path: path.stat().st_size, default=None)
    if earlier:
        copy = attempt / earlier.parent.name
        copy.mkdir()
        for name in ("scenario.yaml", "checkpoint"):
            shutil.copy(earlier.parent / name, copy / name)
        command = [job.program, "resume", str(copy)]
    else:
        command = [job.program, "run", *job.arguments, "--shard", f"{number}/{job.shards}", "--runs", str(attempt)]
        if pathlib.Path(job.folder, "after").exists():
            command += ["--after", f"{job.folder}/after"]
    libc, parent = ctypes.CDLL(None), os.getpid()

    def end_with_worker():
        libc.prctl(1, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    worker.log_event("assay", {"shard": number, "worker": worker.address})
    with (attempt / "errors").open("w+") as errors:
        child = subprocess.Popen(
            [*command, "--jobs", str(job.jobs), "--quiet", "--no-history"], cwd=job.place,
            env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
            preexec_fn=end_with_worker)
        lines = None
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                code = child.wait(timeout=0.25)
            if lines is None and (path := next(attempt.glob("*/checkpoint"), None)):
                lines = path.open("rb")
            if lines and (new := finished(lines)):
                worker.log_event("assay", {"shard": number, "worker": worker.address, "blocks": new})
            if child.returncode is not None:
                break
            if done.exists() or not job.goes_on:
                child.terminate()
        if lines:
            lines.close()
        errors.seek(0)
        said = errors.read().strip()
    if code == 0:
        mark(done, next(attempt.glob("*/checkpoint")).parent.relative_to(place))
    elif code == 2:
        refuse(said)
    elif not done.exists() and job.goes_on:
        raise RuntimeError(f"shard {number} ended with {code} on {worker.address}: {said}")


def finished(lines) -> int:
    """How many blocks the next whole records of a checkpoint have."""
    count = 0
    while True:
        begin = lines.tell()
        line = lines.readline()
        if not line.endswith(b"\n"):
            lines.seek(begin)
            return count
        words = line.split(b" ", 4)
        if words[1].isdigit():
            count += int(words[3]) - int(words[2])


def mark(path: pathlib.Path, text) -> None:
    """Makes a small file that is there with all of its text, or not at all."""
    partial = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    with partial.open("w") as file:
        file.write(str(text))
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


class Run:
    """A run of a scenario on a cluster."""

    def __init__(self, options: argparse.Namespace, client: distributed.Client):
        self.client, self.runs = client, pathlib.Path(options.runs).absolute()
        self.session, self.events = uuid.uuid4().hex, collections.deque()
        settings = [word for setting in options.set for word in ("--set", setting)]
        arguments = (str(pathlib.Path(options.scenario).absolute()), *settings)
        program = pathlib.Path(shutil.which(options.assay) or options.assay)
        known = probe(str(program), arguments, os.getcwd())
        digest = hashlib.sha256(program.read_bytes()).hexdigest()
        self.name = f"{known['slug']}-{known['digest']}"
        self.work = self.runs / ".shards" / f"{self.name}-{digest[:8]}"
        self.work.mkdir(parents=True, exist_ok=True)
        if not (self.work / "assay").exists():
            shutil.copy(program, self.work / "assay.partial")
            (self.work / "assay.partial").replace(self.work / "assay")
        source = self.work / pathlib.Path(options.scenario).name
        mark(source, pathlib.Path(options.scenario).read_text())
        shards = self.work / "shards"
        if not shards.exists():
            mark(shards, options.shards or 4 * sum(self.threads().values()))
        count = int(shards.read_text())
        if options.shards not in (None, count):
            raise Refused(f"--shards: found {options.shards}, expected {count}, with which the run was begun; "
                          f"to begin it again, remove {self.work}")
        mark(self.work / "session", self.session)
        self.job = Job(str(self.work), "", (str(source), *settings), count, self.session, digest, known, os.getcwd(),
                       options.jobs)
        for address, problem in client.run(check, self.job).items():
            if problem:
                raise Refused(f"worker {address} cannot play this run: {problem}")
        client.subscribe_topic("assay", lambda event: self.events.append(event[1]))

    def threads(self) -> dict:
        return self.client.nthreads()

    def play(self) -> int:
        """Plays round after round; returns what 'assay merge' ends with."""
        while True:
            number = max((int(path.name[6:]) for path in self.work.glob("round-*")), default=1)
            folder = self.work / f"round-{number}"
            folder.mkdir(exist_ok=True)
            try:
                self.play_round(number, folder)
            except (distributed.comm.CommClosedError, concurrent.futures.CancelledError, asyncio.CancelledError):
                raise self.ended() from None
            shards = [os.path.relpath(done.parent / done.read_text()) for _, done in self.done(folder)]
            merged = subprocess.run(
                [self.job.program, "merge", *shards, "--runs", str(self.runs), "--quiet"], capture_output=True,
                text=True, env=environment())
            result = self.runs / self.name
            if merged.returncode == 3 and (result / "checkpoint").exists():
                following = self.work / f".round-{number + 1}"
                shutil.rmtree(following, ignore_errors=True)
                (following / "after").mkdir(parents=True)
                for name in ("scenario.yaml", "checkpoint"):
                    shutil.copy(result / name, following / "after" / name)
                following.replace(self.work / f"round-{number + 1}")
                continue
            sys.stdout.write(merged.stdout)
            sys.stderr.write(merged.stderr)
            if merged.returncode in (0, 1, 3):
                shutil.rmtree(self.work, ignore_errors=True)
                with contextlib.suppress(OSError):
                    self.work.parent.rmdir()
            else:
                # What the next call plays again of a shard is what its checkpoint lacks.
                for _, done in self.done(folder):
                    done.unlink()
            return merged.returncode

    def done(self, folder: pathlib.Path):
        paths = ((k, folder / str(k) / "done") for k in range(1, self.job.shards + 1))
        return [(k, path) for k, path in paths if path.exists()]

    def play_round(self, number: int, folder: pathlib.Path) -> None:
        job = dataclasses.replace(self.job, folder=str(folder))
        whole = {k for k, _ in self.done(folder)}
        left = {k for k in range(1, job.shards + 1)} - whole
        if whole:
            say(f"round {number}: {len(whole)} of {job.shards} shards are done already")
        begun, ended, twice, seconds, blocks = {}, set(), set(), [], 0
        shown = latest = time.monotonic()

        def submit(shard: int, **how) -> distributed.Future:
            future = self.client.submit(play, job, shard, key=f"{self.session}-{number}-{shard}-{len(how)}",
                                        pure=False, retries=3, **how)
            futures[future] = shard
            return future

        def since(shard: int) -> float:
            """When a worker began with it; one that waits behind another on its worker has not begun."""
            return min((at for (one, _), at in begun.items() if one == shard), default=latest)

        futures = {}
        completed = distributed.as_completed([submit(k) for k in sorted(left)])
        while left:
            while self.events:
                event = self.events.popleft()
                if "blocks" in event:
                    blocks += event["blocks"]
                else:
                    begun[event["shard"], event["worker"]] = time.monotonic()
            self.check_scheduler()
            while left and completed.has_ready():
                future = next(completed)
                self.check_scheduler()
                shard = futures.pop(future)
                if future.status == "pending":
                    # Its worker was lost after it had finished, so it is played again, if it is not done.
                    futures[future] = shard
                    completed.add(future)
                elif future.status != "finished":
                    if shard in left and shard not in futures.values():
                        raise Refused(f"shard {shard} could not be played: {future.exception()}")
                    continue
                ended.add(shard)
            # What a worker wrote may be seen here somewhat later.
            for shard in sorted(ended & left):
                place = folder / str(shard)
                if (error := place / f"error-{self.session}").exists():
                    raise Refused(error.read_text())
                if (place / "done").exists():
                    left.discard(shard)
                    latest = time.monotonic()
                    seconds.append(latest - since(shard))
            # Each look at the workers is a question to the scheduler, and costs more than it shows.
            if (now := time.monotonic()) - shown < 2:
                time.sleep(0.1)
                continue
            shown, threads = now, self.threads()
            say(f"round {number}: {job.shards - len(left)} of {job.shards} shards, {blocks} blocks, "
                f"{len(threads)} workers")
            busy = {worker for shard, worker in begun if shard in left}
            idle = [worker for worker in threads if worker not in busy]
            for shard in sorted(left - twice) if seconds and idle else []:
                if now - since(shard) > max(2, STRAGGLER * statistics.median(seconds)):
                    twice.add(shard)
                    say(f"round {number}: shard {shard} takes long, so it is played a second time")
                    completed.add(submit(shard, workers=idle))
        self.client.cancel(list(futures), force=True)

    def check_scheduler(self) -> None:
        if self.client.status != "running":
            raise self.ended()

    def ended(self) -> Refused:
        return Refused(f"the scheduler ended. What is finished lies in {self.work}; the same command goes on with it, "
                       "once there is a scheduler")


def connect(address: str) -> distributed.Client:
    try:
        client = distributed.Client(address, timeout=10)
        client.wait_for_workers(1, timeout=60)
    except (OSError, ValueError) as error:
        raise Refused(f"--scheduler: found {address}, where none with workers answers ({error}); expected the address "
                      "that 'dask scheduler' prints") from None
    versions = client.get_versions()
    for name, there in [("scheduler", versions["scheduler"]), *versions["workers"].items()]:
        for package in ("python", "distributed"):
            mine, other = versions["client"]["packages"][package], there["packages"][package]
            if mine.split(".")[:2 if package == "python" else 3] != other.split(".")[:2 if package == "python" else 3]:
                raise Refused(f"{name} has {package} {other}, expected {mine} as here; 'scripts/setup --cluster' "
                              "installs it")
    return client


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/cluster/dask")
    parser.add_argument("scenario")
    parser.add_argument("--assay", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--scheduler")
    parser.add_argument("--shards", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--runs", default="Results/runs")
    parser.add_argument("--set", action="append", default=[])
    options = parser.parse_args()
    # What happens is said here, in a line.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        try:
            if options.shards is not None and not 1 <= options.shards <= 10_000:
                raise Refused(f"--shards: found {options.shards}, expected a number from 1 to 10000")
            if not 1 <= options.jobs <= 1024:
                raise Refused(f"--jobs: found {options.jobs}, expected a number from 1 to 1024")
            if options.scheduler:
                client = connect(options.scheduler)
            else:
                # Workers wait for other processes, so there is little to profile, to observe or to rebalance.
                dask.config.set({"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s",
                                 "distributed.admin.system-monitor.interval": "10s",
                                 "distributed.scheduler.active-memory-manager.start": False})
                cluster = stack.enter_context(distributed.LocalCluster(
                    n_workers=len(os.sched_getaffinity(0)), threads_per_worker=1, dashboard_address=":0",
                    memory_limit=0, local_directory=stack.enter_context(tempfile.TemporaryDirectory())))
                client = distributed.Client(cluster)
            return Run(options, stack.enter_context(client)).play()
        except Refused as error:
            say(f"error: {error}")
            return 2


if __name__ == "__main__":
    sys.exit(main())
