// SPDX-License-Identifier: GPL-3.0-or-later
import MonteCarlo
import Synchronization
import Testing

@testable import PropertyTesting

@Suite("What a property says about its cases")
struct RemarkingTests {
  private func settings(_ cases: Int) -> CheckSettings {
    var settings = CheckSettings()
    settings.cases = cases
    return settings
  }

  @Test("is counted by label, each once in a case, the most frequent first")
  func labels() throws {
    let report = try search(Gen.booleans(), settings: settings(1000)) { isRare in
      label("all")
      label("all")
      label("half", when: isRare)
    }
    #expect(report.labels.map(\.name) == ["all", "half"])
    #expect(report.labels.first?.count == 1000)
    #expect((400..<600).contains(report.labels.last?.count ?? 0))
  }

  @Test("fills tables, every call counted")
  func tables() throws {
    let report = try search(Gen.integers(in: 1...2), settings: settings(500)) { number in
      for digit in 0..<number { classify("digit", by: digit) }
    }
    let table = try #require(report.tables.first)
    #expect(table.name == "digit")
    #expect(table.rows.first == CheckReport.Count(name: "0", count: 500))
    #expect(table.total == 500 + (table.rows.last?.count ?? 0))
  }

  @Test("does not count for cases that are discarded")
  func discarded() throws {
    let report = try search(Gen.booleans(), settings: settings(200)) { isOdd in
      label("odd", when: isOdd)
      try assume(!isOdd)
    }
    #expect(report.labels.isEmpty)
  }

  @Test("as a note is shown with the counterexample and made for nothing else")
  func notes() throws {
    let made = Mutex(0)
    let report = try search(Gen.integers(in: 0...1000), settings: settings(1000)) { number in
      note(
        made.withLock {
          $0 += 1
          return "half of it is \(number / 2)"
        })
      try claim(number < 300, "too large")
    }
    #expect(report.counterexample?.notes == ["half of it is 150"])
    #expect(made.withLock { $0 } == 1)
  }

  @Test("is heard nowhere outside a property")
  func outside() {
    label("nobody")
    classify("nobody", by: 1)
    cover("nobody", true, atLeast: 0.5)
    target(1)
    note("nobody")
    #expect(CaseContext.current == nil)
  }

  @Test("as a score is kept if it is a number, the highest by label")
  func scores() throws {
    let report = try search(Gen.integers(in: 0...50), settings: settings(1000)) { number in
      target(Double(number), "number")
      target(-Double(number), "negative")
      target(.infinity, "nothing")
      target(.nan, "nothing")
    }
    #expect(
      report.best == [
        CheckReport.Best(label: "negative", score: 0), CheckReport.Best(label: "number", score: 50),
      ])
  }

  @Test("adds up the same in any order")
  func law() throws {
    var samples: [CaseTally] = []
    for seed in 0..<4 {
      var tally = CaseTally()
      tally.passed = seed * 7
      tally.longestTape = 10 - seed
      tally.discards = seed == 0 ? [:] : [.assumption: seed, .filtered: 2]
      var remarks = CaseContext.Remarks()
      remarks.labels = ["a\(seed % 2)", "b"]
      remarks.values = [(table: "t", value: "\(seed)"), (table: "t", value: "x")]
      remarks.covers = [(name: "c", atLeast: Double(seed) / 8, isMet: seed % 2 == 0)]
      remarks.scores = [(label: "s", score: Double(seed * 5 % 3))]
      tally.add(remarks)
      samples.append(tally)
    }
    #expect(mergeLawViolation(among: samples, empty: CaseTally()) == nil)
  }
}
