// SPDX-License-Identifier: GPL-3.0-or-later
import PropertyTesting
import Testing

/// A message with a magic header of eight bytes and a checksum as its last byte, as no random bytes are.
private func isMessage(_ bytes: [UInt8]) -> Bool {
  let magic: [UInt8] = [0x89, 0x41, 0x53, 0x53, 0x41, 0x59, 0x0D, 0x0A]
  guard bytes.count >= 10 else { return false }
  for (byte, expected) in zip(bytes, magic) where byte != expected { return false }
  var sum: UInt8 = 0
  for byte in bytes[8..<(bytes.count - 1)] { sum = sum &* 3 &+ byte }
  return sum == bytes[bytes.count - 1]
}

// This module is compiled with the flags that docs/properties.md gives.
@Suite("A search in instrumented code")
struct GuidedSearchTests {
  private func casesUntilFound(_ search: (CheckSettings) throws -> CheckReport) throws -> [Int] {
    try (0..<20 as Range<UInt64>).map { seed in
      let settings = CheckSettings(cases: 5000, seed: seed, shrinkLimit: 0, explains: false)
      return try #require(try search(settings).counterexample?.casesUntilFound, "seed \(seed)")
    }
  }

  @Test("puts the operand of a comparison where the other one was drawn")
  func operand() throws {
    let cases = try casesUntilFound {
      try search(Gen<Int>.integers(), Gen<Int>.integers(), settings: $0) { a, b in b <= 1000 || a != 3 &* b &+ 7 }
    }
    #expect(cases.reduce(0, +) <= 20 * 20)
  }

  @Test("gets past a magic header and a checksum, byte by byte")
  func header() throws {
    let cases = try casesUntilFound {
      try search(Gen<[UInt8]>.bytes(count: 0...40), settings: $0) { bytes in !isMessage(bytes) }
    }
    #expect(cases.reduce(0, +) <= 20 * 500)
  }

  @Test("gives the same report at any number of jobs")
  func reproducible() throws {
    let reports = try [1, 4].map { jobs in
      try search(
        Gen<[UInt8]>.bytes(count: 0...40), settings: CheckSettings(cases: 3000, jobs: jobs, seed: 3, explains: false)
      ) { bytes in !isMessage(bytes) }
    }
    #expect(reports[0].outcome == reports[1].outcome)
    let found = try #require(reports[0].counterexample)
    #expect(found.arguments == reports[1].counterexample?.arguments)
    #expect(found.arguments[0].filter { !$0.isWhitespace }.hasPrefix("[137,65,83,83,65,89,13,10,"))
  }
}
