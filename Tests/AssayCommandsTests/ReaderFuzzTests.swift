// SPDX-License-Identifier: GPL-3.0-or-later
import BlackjackCore
import BlackjackLab
import ClubLab
import Foundation
import LeagueLab
import LiveLab
import PropertyTesting
import Reporting
import Scenarios
import TestSupport
import Testing

@Suite("A damaged file is either read or refused with its name and line")
struct ReaderFuzzTests {
  @Test("a scenario of any kind")
  func scenarios() throws {
    let folder = packageRoot.appendingPathComponent("Scenarios")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    let documents = try names.sorted().map { name in
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    let kinds = Blackjack.experiments + Clubs.experiments + Leagues.experiments + LiveExperiments.experiments
    try holds(for: documents) { yaml in
      do {
        _ = try Scenario(ScenarioDocument(yaml: yaml, file: "s.yaml"), kinds: kinds)
      } catch {
        let text = "\(error)"
        let index = text.prefixMatch(of: #/s\.yaml:([1-9]\d*): /#)
        try require(index != nil, text)
        let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
        try require(index.flatMap { Int($0.1) }.map { $0 <= lines } == true, "\(lines) lines: \(text)")
      }
    }
  }

  @Test("a chart")
  func charts() throws {
    let lines = ChartCellKey.all.map { key in
      let action = StrategyChart.trainer[key]?.action.letter ?? "?"
      return "\(key.row.kind.rawValue),\(key.row.label),\(key.upcard),\(action),\n"
    }
    try holds(for: ["kind,player,dealer,action,fallback\n" + lines.joined()]) { csv in
      do throws(BlackjackError) {
        _ = try StrategyChart(csv: csv)
      } catch {
        guard case .badChart(let line, let field, _, _) = error else { throw error }
        // Only what is not there has no line.
        try require(line.map { $0 > 0 } ?? ["cell", "table"].contains(field), "\(error)")
      }
    }
  }

  @Test("a stored counterexample")
  func examples() throws {
    let folder = try TemporaryFolder()
    let property = Property("lists.1", "Numbers are small", Gen.arrays(of: .integers(in: 0...100), count: 0...5)) {
      try require($0.allSatisfy { $0 < 50 })
    }
    let store = ExampleStore(folder: folder.url.path)
    let saved = try store.save(#require(try property.check().counterexample), of: property)
    let text = try String(contentsOfFile: saved.path, encoding: .utf8)
    try holds(for: [text]) { text in
      try Data(text.utf8).write(to: URL(fileURLWithPath: saved.path))
      let contents = try store.contents(of: "lists.1")
      try require(contents.examples.count + contents.damaged.count == 1)
      try require(contents.damaged.allSatisfy { "\($0)".contains("\(saved.path):\($0.line): ") && $0.line > 0 })
    }
  }

  private func holds(for documents: [String], _ body: @escaping @Sendable (String) throws -> Void) throws {
    let damaged = Gen.damaged(.elements(of: documents.map { Array($0.utf8) }), splinters: Self.extremes)
    let report = try search(
      damaged.map { String(decoding: $0, as: UTF8.self) }, settings: CheckSettings(cases: 1000), body: body)
    #expect(report.isHeld, "\(report)")
  }

  private static let extremes = [
    "\u{1B}[31m", "\0", "\u{7F}", "\u{9B}", "\u{202E}", "\u{FEFF}", "é", "\n", "\r\n", "\r", "\t", "  ", "\"", "'", ",",
    ":",
    "- ", "#", "|", ">", "!", "%", "&a ", "*a ", "? [a]\n: b\n? [a]\n: c\n", "{a: b}", "[", "]", "{", "}",
    String(repeating: "[", count: 300), String(repeating: "x", count: 5000), "\n::error::x\n", "0", "-1", "05", "nan",
    "inf", "1e999", "9223372036854775807", "9223372036854775808", "99999999999999999999", "-9223372036854775808", "0.5",
    "null", "true", "~", "\\", "\\u0000", "\\ud800",
  ]
}
