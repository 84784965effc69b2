"""What the benchmarks share: time and memory of one call, and what the machine is.

Only the standard library is imported here: what a benchmark needs it imports itself, so that its
process holds nothing else.
"""

import os
import platform
import resource
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
SCRATCH = ROOT / "build" / "benchmarks"
SHORTEST = 0.3  # seconds; a shorter call is at the mercy of whatever else the machine does


def peak_mb(children=False):
    """Return the peak memory of this process so far, or of its largest child, in MB."""
    kind = resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF
    return resource.getrusage(kind).ru_maxrss * 1024 / 1e6


def seconds(function, *arguments, **options):
    """Return the wall time of one call, and what it returned."""
    start = time.perf_counter()
    value = function(*arguments, **options)
    return time.perf_counter() - start, value


def measured(function, *arguments, **options):
    """Return ({"seconds", "extra_mb"} of one call, what it returned).

    extra_mb: by how much the call raised the peak memory of the process.
    """
    before = peak_mb()
    spent, value = seconds(function, *arguments, **options)
    return {"seconds": spent, "extra_mb": peak_mb() - before}, value


def measured_often(function, *arguments, **options):
    """`measured` for a short call: it is made again for SHORTEST seconds; the median counts."""
    told, value = measured(function, *arguments, **options)
    taken = [told["seconds"]]
    while sum(taken) < SHORTEST:
        taken.append(seconds(function, *arguments, **options)[0])
    return {**told, "seconds": median(taken)}, value


def _processor():
    """Return the name of the processor as the system gives it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def machine():
    """Say in a line what the machine is: processor, cores, memory, system, Python."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{_processor()}; {os.cpu_count()} cores; {gigabytes:.0f} GB; "
        f"{platform.system()} {platform.machine()}; Python {platform.python_version()}"
    )
