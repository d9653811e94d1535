// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Randomness
import Testing

/// Writes `GoldenWords.swift` anew: `ASSAY_REGENERATE_GOLDEN=1 swift test --filter GoldenRegeneration`.
@Suite("Golden words, regenerated", .enabled(if: ProcessInfo.processInfo.environment["ASSAY_REGENERATE_GOLDEN"] != nil))
struct GoldenRegeneration {
  @Test("the golden words are written beside this file")
  func regenerate() throws {
    var lines = [
      "// SPDX-License-Identifier: GPL-3.0-or-later", "", "/// The first four words of every generator with seed 4357,",
      "/// written by `GoldenRegeneration.swift`.", "let goldenWords: [String: [UInt32]] = [",
    ]
    for name in GSLGenerator.names {
      var generator = try GSLGenerator(named: name, seed: 4357)
      lines.append("  \"\(name)\": [\((0..<4).map { _ in "\(generator.next())" }.joined(separator: ", "))],")
    }
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "GoldenWords.swift")
    try (lines + ["]", ""]).joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    #expect(try String(contentsOf: file, encoding: .utf8).contains("mt19937"))
  }
}
