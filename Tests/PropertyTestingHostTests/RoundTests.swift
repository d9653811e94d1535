// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import PropertyTesting
import Testing

@testable import PropertyTestingHost

@Suite("A round of a property")
struct RoundTests {
  static func property(below limit: Int) -> Property {
    Property("round.1", "Numbers are small", Gen.integers(in: 0...1000)) { number in
      try claim(number < limit, "\(number) is not below \(limit)")
    }
  }

  @Test("stores a failing case, tries it first, and drops it when it passes")
  func store() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "round-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let wishes = try Wishes(["ASSAY_EXAMPLES": folder.path])
    let found = try Round(Self.property(below: 100), CheckSettings(), wishes).findings()
    #expect(found.report?.counterexample?.arguments == ["100"])
    #expect(found.remarks.count == 1)
    let again = try Round(Self.property(below: 100), CheckSettings(), wishes).findings()
    #expect(again.token == found.token)
    #expect(again.report?.passed == 0)
    let mended = try Round(Self.property(below: 1001), CheckSettings(), wishes).findings()
    #expect(mended.report?.outcome == .held)
    #expect(mended.remarks.count == 1)
    #expect(try ExampleStore(folder: folder.path).contents(of: "round.1").examples.isEmpty)
  }

  @Test("runs one case again when it is asked for by its word, and only for its property")
  func replay() throws {
    let found = try Round(Self.property(below: 100), CheckSettings(), Wishes(["ASSAY_EXAMPLES": ""])).findings()
    let word = try #require(found.token).description
    let wishes = try Wishes(["ASSAY_EXAMPLES": "", "ASSAY_REPLAY": word])
    let again = try Round(Self.property(below: 50), CheckSettings(), wishes).findings()
    #expect(again.report?.counterexample?.failure.message == "100 is not below 50")
    let passing = try Round(Self.property(below: 101), CheckSettings(), wishes).findings()
    #expect(passing.report == nil)
    #expect(passing.remarks == ["the replayed case of 'round.1' passes now"])
    let stranger = Property("round.2", "Anything goes", Gen<Int>.integers()) { _ in }
    #expect(try Round(stranger, CheckSettings(), wishes).findings().report?.passed == 100)
    let changed = Property("round.1", "Pairs are small", Gen<Int>.integers(), Gen<Int>.integers()) { _, _ in }
    let stale = try Round(changed, CheckSettings(), wishes).findings()
    #expect(stale.staleness == .staleTape(property: "round.1"))
  }
}
