# SPDX-License-Identifier: GPL-3.0-or-later
"""What a process takes."""

import os
import subprocess
import sys
import time
from typing import NamedTuple


class Usage(NamedTuple):
    """Seconds of wall clock and of processor, and the largest resident set in MiB."""
    wall: float
    cpu: float
    peak: float


def measured(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, exits=(0,)):
    """Runs a command, which must end with one of `exits`: what it took, and what it wrote to a standard error that is a
    pipe."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=stdout, stderr=stderr)
    said = process.stderr.read().decode() if process.stderr else ""
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in exits:
        sys.exit(f"error: exit {process.returncode}: {' '.join(command)}\n{said}".rstrip())
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024), said
