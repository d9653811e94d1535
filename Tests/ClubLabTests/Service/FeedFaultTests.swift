// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import ClubLab

@Suite("Faults of a feed")
struct FeedFaultTests {
  @Test("the usual rate and size of every kind are within its bounds", arguments: FeedFault.Kind.allCases)
  func usual(kind: FeedFault.Kind) throws {
    let fault = try FeedFault(kind)
    #expect(FaultMix.usual[kind] == fault)
  }

  @Test("a rate beyond one, and a size out of bounds, are refused with the fault and what was expected")
  func bounds() {
    #expect(
      throws: ClubLabError.badShape(
        field: "renames.rate", found: "1.5", expected: "a share above 0 and at most 1 of all rides")
    ) { try FeedFault(.renames, rate: 1.5) }
    #expect(
      throws: ClubLabError.badShape(field: "short pages.rows", found: "30.0", expected: "1 to 29 rows")
    ) { try FeedFault(.shortPages, size: 30) }
  }

  @Test("a fault named twice, and answers that all fail, are refused")
  func contradictions() throws {
    let renames = try FeedFault(.renames)
    #expect(throws: ClubLabError.self) { try FaultMix([renames, renames]) }
    let failing = [
      try FeedFault(.serverErrors, rate: 0.5), try FeedFault(.timeouts, rate: 0.3), try FeedFault(.refusals, rate: 0.3),
    ]
    #expect(throws: ClubLabError.self) { try FaultMix(failing) }
  }

  @Test("the order in which faults are named does not matter")
  func order() throws {
    let (renames, edits) = (try FeedFault(.renames), try FeedFault(.edits))
    #expect(try FaultMix([renames, edits]) == FaultMix([edits, renames]))
  }
}
