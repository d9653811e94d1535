// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Reporting
import Scenarios
import Testing

import Archive

/// Pairs of scenarios whose texts share their eight digits.
private let colliding: [(String, String)] = {
  func yaml(_ seed: Int) -> String { "{name: One, kind: counting, seed: \(seed), draws: 100}" }
  guard let scenario = try? Workplace().scenario(yaml(7)) else { return [] }
  let text = scenario.resolved
  var (seeds, pairs) = ([UInt32: Int](), [(String, String)]())
  guard let location = text.firstRange(of: "seed: 7\n") else { return [] }
  let (before, behind) = (String(text[..<location.lowerBound]), String(text[location.upperBound...]))
  // Of this number there are two or three such pairs, by the birthday paradox.
  for seed in 1...160_000 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(before)seed: \(seed)\n\(behind)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash ^= hash >> 32
    if let other = seeds.updateValue(seed, forKey: UInt32(truncatingIfNeeded: hash)) {
      pairs.append((yaml(other), yaml(seed)))
    }
  }
  return pairs
}()

@Suite("Scenarios are distinguished by their text, not by the eight digits of the digest")
struct ScenarioIdentityTests {
  let location: Workplace

  init() throws { location = try Workplace() }

  @Test("two scenarios with the same digits have separate folders and runs")
  func folders() throws {
    #expect(!colliding.isEmpty)
    for (one, other) in colliding {
      let scenarios = try [one, other].map { try location.scenario($0) }
      #expect(scenarios[0].digest == scenarios[1].digest && scenarios[0].resolved != scenarios[1].resolved)
      let first = try [one, other].map { try location.run($0) }
      let again = try [other, one].map { try location.run($0) }
      for run in first + again { #expect(run.remarks.allSatisfy { !$0.contains("another result") }, "\(run.remarks)") }
      #expect(first.map(\.folder) == again.map(\.folder).reversed() && first[0].folder != first[1].folder)
      for (run, scenario) in zip(first, scenarios) {
        #expect(try TextFile.read("\(run.folder)/scenario.yaml") == scenario.resolved)
      }
    }
    let history = try History.open(location.path("history.sqlite"))
    #expect(try history.rebuild(from: location.root).added.count == 2 * colliding.count)
    let trend = try #require(history.trends(of: "draws", in: "count").first)
    #expect(trend.changes == 2 * colliding.count - 1)
  }

  @Test("a checkpoint of one is refused for the other, and they are not merged")
  func checkpoints() throws {
    for (one, other) in colliding {
      let folders = try [one, other].map { try location.run($0, .init(endsAfter: 10)).folder }
      let stored = try folders.map { try StoredCheckpoint(in: $0) }
      let scenario = try location.scenario(other)
      try stored[1].check(for: scenario, gsl: "2.7.1", build: RunRecord.Build())
      let refused = #expect(throws: ArchiveError.self) {
        try stored[0].check(for: scenario, gsl: "2.7.1", build: RunRecord.Build())
      }
      #expect(refused?.description.contains("with 'seed: ") == true, "\(refused?.description ?? "")")
      #expect(throws: ArchiveError.self) { try StoredCheckpoint.united(stored) }
      #expect(throws: ArchiveError.self) { try StoredCheckpoint.united([stored[0]], over: stored[1]) }
    }
  }
}
