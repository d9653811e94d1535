// SPDX-License-Identifier: Apache-2.0
import Foundation
import PropertyTesting
import Synchronization
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

/// How many bytes of a magic header are in place: each is its own edge.
private func matching(_ bytes: [UInt8]) -> Int {
  guard bytes.count == 6 else { return -1 }
  if bytes[0] != 0x7F { return 0 }
  if bytes[1] != 0x45 { return 1 }
  if bytes[2] != 0x4C { return 2 }
  return bytes[3] == 0x46 ? 4 : 3
}

/// Made when it is first used, by code that is instrumented.
private let squares = (0..<20).map { $0 * $0 }

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif
private let notSeen: Comment = "a debug build compares bytes within the standard library, where it is not seen"

// This module is compiled with the flags that docs/properties.md gives.
@Suite("A search in instrumented code")
struct GuidedSearchTests {
  private func casesUntilFound(_ search: (CheckSettings) throws -> CheckReport) throws -> [Int] {
    try (0..<20 as Range<UInt64>).map { seed in
      let settings = CheckSettings(cases: 5000, seed: seed, shrinkLimit: 0, explains: false)
      return try #require(try search(settings).counterexample?.casesUntilFound, "seed \(seed)")
    }
  }

  @Test("substitutes a drawn operand of a comparison by the other one")
  func operand() throws {
    let cases = try casesUntilFound {
      try search(Gen<Int>.integers(), Gen<Int>.integers(), settings: $0) { a, b in b <= 1000 || a != 3 &* b &+ 7 }
    }
    #expect(cases.reduce(0, +) <= 20 * 20)
  }

  @Test("gets past a magic header and a checksum, byte by byte", .enabled(if: isOptimised, notSeen))
  func header() throws {
    let cases = try casesUntilFound {
      try search(Gen<[UInt8]>.bytes(count: 0...40), settings: $0) { bytes in !isMessage(bytes) }
    }
    #expect(cases.reduce(0, +) <= 20 * 500)
  }

  @Test("gives the same report at any number of jobs", .enabled(if: isOptimised, notSeen))
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

  @Test("finds relations that show in no comparison of numbers about as soon as a plain search")
  func relations() throws {
    let texts = try casesUntilFound {
      try search(.strings(), Gen<String>.strings(), settings: $0) { $0.count < 3 || $0 != String($1.reversed()) }
    }
    let lists = try casesUntilFound {
      try search(.arrays(of: Gen<Int>.integers()), settings: $0) { list in
        list.count < 3 || list.reduce(0, &+) != 2 &* list[list.count - 1]
      }
    }
    #expect(texts.reduce(0, +) <= 20 * 131 && lists.reduce(0, +) <= 20 * 23)
  }

  private func report(_ settings: CheckSettings) throws -> CheckReport {
    try search(Gen<[UInt8]>.bytes(count: 0...8), settings: settings) { bytes in
      label("\(matching(bytes))")
      return true
    }
  }

  @Test("keeps a few cases that cover all edges, and begins with them the next time, at any number of jobs")
  func corpus() throws {
    var settings = CheckSettings(cases: 30_000, seed: 5)
    #expect(try report(settings).guidance?.kept == nil)
    settings.isGuided = true
    let reports = try [1, 3].map { jobs in
      settings.jobs = jobs
      return try report(settings)
    }
    let guidance = try #require(reports[0].guidance)
    #expect(reports[0].labels == reports[1].labels && guidance == reports[1].guidance)
    let kept = try #require(guidance.kept)
    #expect(guidance.new == guidance.edges && guidance.edges >= 5 && (1...guidance.edges * 2).contains(kept.count))
    #expect(guidance.description.hasPrefix("guided: \(guidance.edges) edges, \(guidance.edges) new"))

    settings.corpus = kept
    (settings.cases, settings.seed) = (1, 6)
    let next = try report(settings)
    #expect(next.guidance?.edges == guidance.edges && next.guidance?.new == 0 && next.guidance?.tried == kept.count)
    // Optimised code chooses between 3 and 4 without an edge.
    #expect(next.labels.contains { Int($0.name) ?? 0 >= 3 })
    #expect(next.guidance?.kept.map(Set.init) == Set(kept))

    #expect(kept.count > 1)
    settings.timeLimit = .nanoseconds(1)
    #expect(try report(settings).guidance?.kept == nil, "stored cases that were not tried stay stored")
  }

  @Test("stores each kept case immediately, so that the end of the process loses none")
  func keptAtOnce() throws {
    let kept = Mutex<[ChoiceSequence]>([])
    var settings = CheckSettings(cases: 3000, seed: 5)
    settings.isGuided = true
    let property = Property("bytes", "Anything", Gen<[UInt8]>.bytes(count: 0...8)) { matching($0) >= -1 }
    let environment = CheckEnvironment(kept: { one in kept.withLock { $0.append(one.choices) } })
    let report = try property.check(settings, in: environment)
    let fewest = try #require(report.guidance?.kept)
    #expect(!fewest.isEmpty && Set(fewest).isSubset(of: Set(kept.withLock(\.self))))
  }

  @Test("prints a case that ends the process and that only guidance finds")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try search(Gen<[UInt8]>.bytes(count: 6...6), settings: CheckSettings(cases: 100_000)) { bytes in
        precondition(matching(bytes) < 2, "two bytes are in place")
      }
    }
    let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(printed.contains("in a case of 'search at GuidedSearchTests/") && printed.contains("argument 1: [127, 69,"))
  }

  private static let trapping = Property("guided.1", "At most one byte is in place", Gen<[UInt8]>.bytes(count: 6...6)) {
    // Optimised code prints no message of a precondition.
    if matching($0) >= 2 { fatalError("two bytes are in place") }
  }

  /// The command that runs this program with `serve` alone, as a worker.
  private static let worker = [
    "/usr/bin/env", "ASSAY_SERVES=1", CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter",
    "GuidedSearchTests/serve",
  ]
  private static let serves = ProcessInfo.processInfo.environment["ASSAY_SERVES"] != nil

  @Test("answers another process", .enabled(if: serves, "the next test runs it in a worker"))
  func serve() throws {
    try WorkerHost(command: Self.worker) { id, _ in id == Self.trapping.id ? Self.trapping : nil }.serve()
  }

  @Test("reports a case that ends its worker and that only guidance finds, and keeps the cases before it")
  func trapInWorker() throws {
    let runner = try IsolatedRunner(command: Self.worker, jobs: 1, caseLimit: .seconds(60))
    var settings = CheckSettings(cases: 100_000, shrinkLimit: 0, explains: false)
    settings.isGuided = true
    let found = try #require(try runner.check(Self.trapping, settings: settings).counterexample)
    #expect(found.failure.message.hasPrefix("trapped with SIG"))
    #expect(found.failure.message.contains("two bytes are in place"))
    #expect(found.arguments[0].hasPrefix("[127, 69,") && found.casesUntilFound > 1)
    #expect(!runner.kept.isEmpty)
    guard case .failed = try runner.replay(ReplayToken(property: "guided.1", choices: found.choices), of: Self.trapping)
    else {
      Issue.record("the case does not fail again")
      return
    }
  }

  @Test("does not count one-time initialisation as new coverage")
  func once() throws {
    var settings = CheckSettings(cases: 100)
    settings.isGuided = true
    let edges = try (0..<2).map { _ in
      try search(Gen<Int>.integers(in: 0...19), settings: settings) { squares[$0] == $0 * $0 }.guidance?.edges
    }
    #expect(try #require(edges[0]) > 0 && edges[0] == edges[1])
  }

  @Test("continues without useless stored cases")
  func useless() throws {
    let other = try #require(
      search(Gen<Int>.integers(), settings: CheckSettings(shrinkLimit: 0)) { _ in false }.counterexample)
    var settings = CheckSettings(cases: 500, seed: 2)
    settings.isGuided = true
    settings.corpus = Array(repeating: other.choices, count: 3)
    let report = try report(settings)
    #expect(report.isHeld && report.passed >= 500)
  }

  @Test("of dependent cases reports that it is not guided")
  func unguided() throws {
    var settings = CheckSettings(search: .swarm)
    settings.isGuided = true
    #expect(try report(settings).text().contains("  not guided: the search is swarm"))
  }
}
