// SPDX-License-Identifier: Apache-2.0
import MonteCarlo
import PropertyTesting
import SeededWords
import Synchronization
import Testing

@Suite("A coverage claim")
struct CoverageTests {
  private func report(_ cases: Int, atLeast share: Double) throws -> CheckReport {
    try search(Gen.booleans(), Gen.booleans(), settings: CheckSettings(cases: cases)) { left, right in
      cover("both", left && right, atLeast: share)
    }
  }

  @Test("that is true is shown to hold")
  func holds() throws {
    let report = try report(2000, atLeast: 0.15)
    let finding = try #require(report.coverage.first)
    #expect(report.isHeld)
    #expect(finding.verdict == .holds)
    #expect(finding.cases == 2000)
    #expect(finding.decidedAfter == 500)
    #expect(finding.description == "both 24.6% (at least 15% claimed: holds at 99.9% after 500 cases)")
  }

  @Test("that is false makes the property fail")
  func below() throws {
    let report = try report(2000, atLeast: 0.4)
    #expect(report.outcome == .insufficientCoverage)
    #expect(report.coverage.first?.verdict == .fails)
    #expect(report.summary == "hardly tested: 2000 cases passed, but a coverage claim does not hold")
  }

  @Test("is undecided while the cases do not suffice")
  func undecided() throws {
    let report = try report(100, atLeast: 0.25)
    let finding = try #require(report.coverage.first)
    #expect(report.isHeld)
    #expect(finding.verdict == .undecided)
    #expect(finding.description.hasSuffix("(at least 25% claimed: undecided after 100 cases)"))
  }

  @Test("of an event that never happens is refuted by a hundred cases")
  func never() throws {
    let report = try search(Gen.booleans()) { _ in cover("a miracle", false, atLeast: 0.1) }
    #expect(report.outcome == .insufficientCoverage)
  }

  @Test("counts cases that do not reach it as failures")
  func unreached() throws {
    let report = try search(Gen.booleans(), settings: CheckSettings(cases: 2000)) { isReached in
      if isReached { cover("reached", true, atLeast: 0.8) }
    }
    #expect(report.outcome == .insufficientCoverage)
    #expect((900..<1100).contains(report.coverage.first?.hits ?? 0))
  }

  @Test("of 0% or 100% needs no statistics")
  func ends() throws {
    let report = try search(Gen.integers(in: 0...9), settings: CheckSettings(cases: 200)) { number in
      cover("any", number > 100, atLeast: 0)
      cover("all", number <= 9, atLeast: 1)
      cover("nearly all", number < 9, atLeast: 1)
      cover("not a number", number < 9, atLeast: .nan)
    }
    let verdicts = report.coverage.map { "\($0.name): \($0.verdict)" }
    #expect(verdicts == ["all: undecided", "any: holds", "nearly all: fails", "not a number: fails"])
  }

  /// How many of a number of simulated checks come to a verdict on any of their claims, all met equally often.
  private func verdicts(
    _ verdict: CoverageFinding.Verdict, share: Double, claims: [Double], runs: Int, confidence: Double
  ) throws -> Int {
    var words = MersenneTwister(seed: 77)
    var wrong = 0
    for _ in 0..<runs {
      var evaluate = CoverageCheck(confidence: confidence)
      for _ in 0..<40 {
        let block = claims.enumerated().map { index, atLeast in
          (name: "claim \(index)", hits: (0..<50).count { _ in words.unitInterval() < share }, atLeast: atLeast)
        }
        evaluate.absorb(cases: 50, claims: block)
      }
      if evaluate.findings.contains(where: { $0.verdict == verdict }) { wrong += 1 }
    }
    return wrong
  }

  // At an error of 10% a count over 60 of 400 would have a probability below 0.001.
  @Test("is wrongly refuted no more often than stated, although it is looked at after every block")
  func falseAlarms() throws {
    #expect(try verdicts(.fails, share: 0.2, claims: [0.2], runs: 400, confidence: 0.9) <= 60)
    #expect(try verdicts(.fails, share: 0.2, claims: [0.2, 0.2, 0.2, 0.2], runs: 400, confidence: 0.9) <= 60)
    #expect(try verdicts(.fails, share: 0.02, claims: [0.02], runs: 400, confidence: 0.9) <= 60)
  }

  @Test("is wrongly accepted no more often than stated, although it is looked at after every block")
  func falseComfort() throws {
    #expect(try verdicts(.holds, share: 0.1999, claims: [0.2], runs: 400, confidence: 0.9) <= 60)
    #expect(try verdicts(.holds, share: 0.0199, claims: [0.02, 0.02], runs: 400, confidence: 0.9) <= 60)
  }

  @Test("that is clearly false is refuted in nearly every check of 2000 cases")
  func power() throws {
    #expect(try verdicts(.fails, share: 0.05, claims: [0.1], runs: 100, confidence: 0.999) >= 95)
    #expect(try verdicts(.holds, share: 0.2, claims: [0.1], runs: 100, confidence: 0.999) >= 95)
  }
}

@Suite("Annotations of a property's cases")
struct RemarkingTests {
  @Test("is counted by label, each once in a case, the most frequent first")
  func labels() throws {
    let report = try search(Gen.booleans(), settings: CheckSettings(cases: 1000)) { isRare in
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
    let report = try search(Gen.integers(in: 1...2), settings: CheckSettings(cases: 500)) { number in
      for digit in 0..<number { classify("digit", by: digit) }
    }
    let table = try #require(report.tables.first)
    #expect(table.name == "digit")
    #expect(table.rows.first?.name == "0" && table.rows.first?.count == 500)
    #expect(table.total == 500 + (table.rows.last?.count ?? 0))
  }

  @Test("does not count for cases that are discarded")
  func discarded() throws {
    let report = try search(Gen.booleans(), settings: CheckSettings(cases: 200)) { isOdd in
      label("odd", when: isOdd)
      try assume(!isOdd)
    }
    #expect(report.labels.isEmpty)
  }

  @Test("as a note is evaluated and shown for the counterexample only")
  func notes() throws {
    let made = Mutex(0)
    let report = try search(Gen.integers(in: 0...1000), settings: CheckSettings(cases: 1000)) { number in
      note(
        made.withLock {
          $0 += 1
          return "half of it is \(number / 2)"
        })
      try require(number < 300, "too large")
    }
    #expect(report.counterexample?.notes == ["half of it is 150"])
    #expect(made.withLock { $0 } == 1)
  }

  @Test("as a score is kept if it is a number, the highest by label")
  func scores() throws {
    let report = try search(Gen.integers(in: 0...50), settings: CheckSettings(cases: 1000)) { number in
      target(Double(number), "number")
      target(-Double(number), "negative")
      target(.infinity, "nothing")
      target(.nan, "nothing")
    }
    #expect(report.best.map(\.label) == ["negative", "number"] && report.best.map(\.score) == [0, 50])
  }
}
