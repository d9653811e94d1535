# SPDX-License-Identifier: GPL-3.0-or-later
"""Plants one violation of each kind in a project of its own, and clean look-alikes beside them, and checks that tidy
finds the former, on their lines, and not the latter."""

import os
import shutil
import subprocess
import sys
import tempfile

from tidy import tidy

HERE = os.path.dirname(os.path.abspath(__file__))
GPL, APACHE = "// SPDX-License-Identifier: GPL-3.0-or-later\n", "// SPDX-License-Identifier: Apache-2.0\n"

LONG_FUNCTION = "func long() -> Int {\n" + "  // step\n" * 69 + "  return 1\n}\n"
TABLE = "func table() -> Int {\n  switch self {\n" + "  case .one: 1\n" * 80 + "  }\n}\n"
RAW = 'func raw() -> String {\n  #""""#\n}\n' + "// line\n" * 80
FULL_FUNCTION = "func full(\n  _ closure: () -> Int = { 1 }\n) -> Int {\n" + "  // step\n" * 65 + "  closure()\n}\n"
LOOKALIKES = r'''
/// Says why `try!` and fatalError( are banned.
func fine(_ words: [String]) -> String {
  /* as! /* print( */ sleep( */
  let quoted = "try! \(words.map { "print(\($0)" }.joined()) fatalError("
  let raw = #"nonisolated(unsafe) " as! "#
  return quoted + raw
}

// The lock guards every access.
final class Guarded: @unchecked Sendable {
  func print() {}
  func show() { self.print() }
}
'''
# path: (text, what must be found in it: (line, a part of the message)...)
PLANTED = {
    "Sources/Core/ACore/Layout.swift": (APACHE + "\nlet  x = 1\n", (3, "[Spacing]")),
    "Sources/Core/ACore/Unwrap.swift": (APACHE + "\nlet x = Int(\"1\")!\n", (3, "[NeverForceUnwrap]")),
    "Sources/Core/ACore/Silent.swift": (APACHE + "\npublic struct Silent {}\n", (3, "'Silent'")),
    "Sources/Core/ACore/Function.swift": (APACHE + "\n" + LONG_FUNCTION, (3, "`long` has 72 lines")),
    "Sources/Core/ACore/Wide.swift": (APACHE + "// " + "w" * 118 + "\n", (2, "line of 121 columns")),
    "Sources/Core/ACore/Borrowed.swift": (GPL, (1, "no licence header")),
    "Sources/Core/ACore/Bare.swift": ("let x = 1\n", (1, "no licence header")),
    "Sources/Engine/Motor/Try.swift": (GPL + "\nlet x = try! f()\n", (3, "`try!`")),
    "Sources/Engine/Motor/Cast.swift": (GPL + "\nlet x = y as! Int\n", (3, "`as!`")),
    "Sources/Engine/Motor/Fatal.swift": (GPL + "\nfunc f() { fatalError(\"\") }\n", (3, "`fatalError`")),
    "Sources/Engine/Motor/Failure.swift": (
        GPL + "\nfunc f() { preconditionFailure() }\n", (3, "`preconditionFailure`")),
    "Sources/Engine/Motor/Sendable.swift": (
        GPL + "\nfinal class A: @unchecked Sendable {}\n", (3, "`@unchecked Sendable`")),
    "Sources/Engine/Motor/Unsafe.swift": (GPL + "\nnonisolated(unsafe) var x = 1\n", (3, "`nonisolated(unsafe)`")),
    "Sources/Engine/Motor/Print.swift": (GPL + "\nfunc f() { print(1) }\n", (3, "`print`")),
    "Tests/MotorTests/Sleep.swift": (
        GPL + "\nfunc f() async throws { try await Task.sleep(for: .zero) }\n", (3, "`sleep`")),
    "Tests/MotorTests/Usleep.swift": (GPL + "\nfunc f() { usleep(1) }\n", (3, "`usleep`")),
    "scripts/bare": ("#!/bin/sh\n", (1, "no licence header")),
    "Results/heavy.csv": ("1234567\n" * (1 << 17) + "1", (1, "bytes in git")),
    # Look-alikes: nothing may be found in these.
    "Package.swift": ("// swift-tools-version: 6.2\n",),
    "Sources/Core/ACore/Fine.swift": (APACHE + LOOKALIKES,),
    "Sources/Core/ACore/Full.swift": (APACHE + "\n" + FULL_FUNCTION,),
    "Sources/Core/ACore/Table.swift": (APACHE + "\n" + TABLE,),
    "Sources/Core/ACore/Raw.swift": (APACHE + "\n" + RAW,),
    "Sources/Labs/ALab/Fine.swift": (GPL + "\nimport ACore\nimport Motor\n",),
    "Sources/assay/Print.swift": (GPL + "\nfunc f() { print(1) }\n",),
    "Tests/ACoreTests/Fine.swift": (APACHE + "\nimport ACore\nimport Testing\n",),
    "scripts/fine": ("#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n",),
}


def plant(root):
    for path, (text, *_) in PLANTED.items():
        place = os.path.join(root, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
    shutil.copy(os.path.join(HERE, "..", "..", ".swift-format"), root)
    subprocess.run(["git", "-C", root, "init", "--quiet"], check=True)
    subprocess.run(["git", "-C", root, "add", "--all"], check=True)


def wrongs(found):
    """What tidy missed, and what it found where nothing was planted."""
    expected = [(path, *finding) for path, (_, *findings) in PLANTED.items() for finding in findings]
    for path, line, what in expected:
        if not any(f.path == path and f.line == line and what in f.what for f in found):
            yield f"missed {path}:{line}: {what}"
    guilty = {path for path, *_ in expected}
    yield from (f"should not have found {finding}" for finding in found if finding.path not in guilty)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="assay.") as root:
        plant(root)
        wrong = list(wrongs(tidy(root)))
    for line in wrong:
        print(f"scripts/style/self_test.py:1: {line}; mend the check")
    planted = sum(len(findings) for _, *findings in PLANTED.values())
    print(f"tidy --self-test: {len(wrong)} wrong" if wrong else f"tidy --self-test: all {planted} kinds found")
    sys.exit(1 if wrong else 0)
