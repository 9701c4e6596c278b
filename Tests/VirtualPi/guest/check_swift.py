"""The project's own tests of the chip."""

import subprocess

import bench
from bench import check, require


@check
def swift_tests():
    run = subprocess.run(
        ["./reveillePackageTests.xctest", "--testing-library", "swift-testing", "--filter", "RealLineTests"],
        cwd=bench.binary, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120)
    lines = run.stdout.splitlines()
    require(run.returncode == 0 and any("2 tests" in line and "passed" in line for line in lines), "\n".join(lines[-30:]))
    yield f"the Swift tests on the simulated chip: {lines[-1][lines[-1].find('Test run'):]}"
