// SPDX-License-Identifier: GPL-3.0-or-later
import Scenarios
import TestSupport
import Testing

@Suite("A threshold is one line: a measure, a bound and a confidence")
struct ThresholdTests {
  private func problem(_ text: String) -> String? {
    do {
      _ = try Threshold(text)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("a comparison with its confidence is read")
  func comparison() throws {
    let threshold = try Threshold("reconnect.success >= 95% at 0.99", source: "the manual", line: 7)
    #expect(threshold.name == "reconnect.success")
    #expect(threshold.label == nil)
    #expect(threshold.condition == .compared(.atLeast, Threshold.Number(95, isPercent: true)))
    #expect(threshold.condition.numbers.map(\.value) == [0.95])
    #expect(threshold.confidence?.value == 0.99)
    #expect(threshold.source == "the manual")
    #expect(threshold.line == 7)
  }

  @Test("an interval of negative numbers is read, and the label in brackets")
  func interval() throws {
    let threshold = try Threshold("ev[6d, with a cut card] in -0.0041..-4.0e-3 at 99.9%")
    #expect(threshold.label == "6d, with a cut card")
    #expect(threshold.condition == .within(low: .init(-0.0041), high: .init(-0.004)))
    #expect(threshold.confidence?.value == 0.999)
  }

  @Test("spaces between the parts do not matter", arguments: ["a.b>=1", " a.b  >=  1 ", "a.b >=1", "a.b >= +1.0"])
  func spaces(text: String) throws {
    #expect(try Threshold(text).text == "a.b >= 1")
  }

  @Test("numbers keep their digits", arguments: [("1_000", 1000), ("1e3", 1000), ("-2.5E-1", -0.25), ("-0", 0)])
  func numbers(text: String, value: Double) throws {
    #expect(try Threshold("a == \(text)").condition.numbers.map(\.value) == [value])
  }

  @Test(
    "a length of time has its unit, and means the same in the unit of the measure",
    arguments: [
      ("5s", 5, "5s"), ("250ms", 0.25, "250ms"), ("1m30s", 90, "90s"), ("1 min 30 s", 90, "90s"), ("16 s", 16, "16s"),
    ])
  func times(text: String, seconds: Double, written: String) throws {
    let threshold = try Threshold("p95 <= \(text) at 0.99")
    #expect(threshold.condition.numbers.map(\.value) == [seconds] && threshold.text == "p95 <= \(written) at 0.99")
    #expect(threshold.inUnit("min").condition.numbers.map(\.value) == [seconds / 60])
    #expect(threshold.inUnit("min").text == threshold.text)
    #expect(try Threshold("p95 in 0s..\(text)").condition.numbers.map(\.value) == [0, seconds])
  }

  @Test("thousands and millions, in every printed form", arguments: ["1k", "1,000", "0.001M"])
  func thousands(text: String) throws {
    #expect(try Threshold("a <= \(text)").condition.numbers.map(\.value) == [1_000])
  }

  @Test(
    "a mistake is named with its column and what was expected",
    arguments: [
      ("", "found the end at column 1, expected the name of a measurement"),
      (">= 1", "found '>=' at column 1, expected the name of a measurement"),
      ("a..b >= 1", "found 'a..b' at column 1, expected the name"),
      ("success", "found the end at column 8, expected one of >= <= > < == != in."),
      ("success = 1", "found '=' at column 9, expected one of >= <= > < == != in (did you mean '=='?)."),
      ("success => 1", "(did you mean '>='?)"), ("success ≥ 1", "(did you mean '>='?)"),
      ("success is 1", "found 'is' at column 9, expected one of"),
      ("success >= ", "found the end at column 12, expected a number, or 'baseline' with a margin."),
      ("success >= 95pc", "found '95pc' at column 12, expected a number, or 'baseline' with a margin."),
      ("success >= 1.", "found '.' at column 13, expected 'at CONFIDENCE'"),
      ("success >= 0.95 at", "expected a confidence above 0.5 and below 1"),
      ("success >= 0.95 at 1", "found '1' at column 20, expected a confidence above 0.5 and below 1"),
      ("success >= 0.95 at 50%", "found '50%' at column 20, expected a confidence"),
      ("success >= 0.95 by 0.99", "found 'by' at column 17, expected 'at CONFIDENCE'"),
      ("success >= 0.95 at 0.99 today", "found 'today' at column 25, expected the end."),
      ("ev in 0.2", "found the end at column 10, expected '..' and the upper end."),
      ("ev in 0.2..0.1", "found '0.1' at column 12, expected an upper end of at least 0.2."),
      ("ev[] >= 1", "found ']' at column 4, expected a label between the brackets."),
      ("ev[6d >= 1", "expected ']' behind the label."),
      ("a >= 1e999", "expected a number, or 'baseline' with a margin."),
    ])
  func mistakes(text: String, expected: String) {
    #expect(problem(text)?.contains(expected) == true, "\(problem(text) ?? "no error")")
  }

  @Test("every printed threshold reads back as the same")
  func roundTrip() throws {
    var dice = SplitMix64(seed: 1)
    let names = ["a", "chart.mismatches", "p-99_x.y2", "in.at", "at"]
    let labels: [String?] = [nil, "6d-s17-das", "a label of words", "x.y >= 1 at 0.5", "ünï"]
    for _ in 0..<2000 {
      func number() -> Threshold.Number { .init(dice.number(), isPercent: Bool.random(using: &dice)) }
      let ends = [number(), number()].sorted { $0.value < $1.value }
      let comparator = Threshold.Comparator.allCases.randomElement(using: &dice) ?? .equal
      let threshold = Threshold(
        name: names.randomElement(using: &dice) ?? "a", label: labels.randomElement(using: &dice) ?? nil,
        Bool.random(using: &dice) ? .within(low: ends[0], high: ends[1]) : .compared(comparator, ends[0]),
        confidence: Bool.random(using: &dice) ? nil : .init(Double.random(in: 0.51..<1, using: &dice)))
      #expect(try Threshold(threshold.text) == threshold, "\(threshold.text)")
    }
  }
}
