"""The project's own tests that need hardware; their suites are called Real….

`swift test` skips them where there is none.
"""

import re
import subprocess

import bench
from bench import check, require


@check
def swift_tests():
    run = subprocess.run(
        ["./reveillePackageTests.xctest", "--testing-library", "swift-testing", "--filter", r"Tests\.Real[A-Za-z]+Tests"],
        cwd=bench.binary, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=240)
    lines = run.stdout.splitlines()
    end = "\n".join([line for line in lines if "recorded an issue" in line] + lines[-40:])
    require(run.returncode == 0, end)
    suites = re.findall(r"Suite (.+) passed", run.stdout)
    require(suites and "skipped" not in run.stdout, f"tests were skipped:\n{end}")
    yield f"the Swift tests that need hardware: {', '.join(suites)}"
