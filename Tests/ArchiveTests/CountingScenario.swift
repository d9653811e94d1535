// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Foundation
import MonteCarlo
import Reporting
import Scenarios
import Synchronization
import TestSupport

@testable import Archive

/// A tiny kind of scenario: pseudorandom bits, drawn in blocks that workers share, and how many of them are ones.
struct CountingPlan: Experiment {
  /// What a test makes of a run without its scenario showing it.
  struct Twist: Sendable {
    /// Does something while the run goes on.
    var during: @Sendable () throws -> Void = {}
    /// How many draws are made before somebody ends the run.
    var endsAfter: Int?
    /// What makes the same scenario give another result.
    var drift: UInt64 = 0
    /// Further files.
    var files: [ScenarioResult.File] = [.init(name: "counts.csv", content: "ones\n")]
  }

  @TaskLocal static var given = Twist()
  static let kind = "counting"
  static let summary = "Counts ones among bits"
  static let parameters: [Parameter<CountingPlan>] = [
    Parameter("seed", \.seed, .seed, "The root seed.", example: "7"),
    Parameter("draws", \.draws, .count(1...10_000_000), "How many bits.", example: "1000"),
  ]

  var seed: UInt64 = 1
  var draws = 10_000
  let twist = CountingPlan.given

  let measures = [
    Measure("ones", meaning: "how many bits are ones", kind: .count),
    Measure("ones.share", meaning: "the share of ones", kind: .proportion),
    Measure("draws", of: "all", meaning: "how many bits there are", unit: "bits", kind: .exact),
  ]

  func run(on context: RunContext) throws -> ScenarioResult {
    try twist.during()
    let count = min(draws, twist.endsAfter ?? draws)
    let ones = Mutex(0)
    let workers = context.workers.count
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      let mine = stride(from: worker, to: count, by: workers).count { bit(at: $0) }
      ones.withLock { $0 += mine }
    }
    let found = ones.withLock { $0 }
    let figure = Figure(
      id: "ones", title: "Ones", alternative: "One bar.", x: Figure.Axis("bit", scale: .names(["one"])),
      y: Figure.Axis("bits"), series: [.init("ones", style: .bars, points: [.init(0, Double(found))])])
    return ScenarioResult(
      measurements: [
        Measurement(measures[0], .count(found, undecided: draws - count)),
        Measurement(measures[1], .proportion(successes: found, trials: count)),
        Measurement(measures[2], .exact(Double(draws))),
      ], data: ["ones": .integer(found), "of": .number(Double(count)), "percent": .fixed(100, decimals: 2)],
      document: Document(id: "ones", title: "Ones", [.details(summary: "ones", [.figure(figure)])]),
      files: twist.files, cases: [.init(name: "bits are bits", group: "counting", outcome: .passed)],
      isComplete: count == draws)
  }

  /// A bit of the stream: the mixing function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  private func bit(at location: Int) -> Bool {
    var word = (seed &+ twist.drift) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(location) &* 0xD1B5_4A32_D192_ED03
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return (word ^ (word >> 31)) & 1 == 1
  }
}

/// A folder of a test's own, gone with its last reference, and the counting scenario in it.
struct Workplace: Sendable {
  let url: URL
  private let own: TemporaryFolder?

  init() throws {
    let folder = try TemporaryFolder()
    (url, own) = (folder.url, folder)
  }

  /// The folder of another process.
  init(_ path: String) { (url, own) = (URL(fileURLWithPath: path), nil) }

  var root: String { path("runs") }
  /// The folder of the counting scenario as `yaml` has it.
  var folder: RunFolder {
    get throws { RunFolder(of: try scenario(), in: root) }
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  static let yaml = """
    name: Ones
    kind: counting
    thresholds:
      - ones >= 1
      - threshold: ones.share in 0.4..0.6 at 0.99
        source: a fair coin
      - draws == 10000
    """

  func scenario(_ yaml: String = Workplace.yaml, _ twist: CountingPlan.Twist = .init()) throws -> Scenario {
    try CountingPlan.$given.withValue(twist) {
      try Scenario(
        ScenarioDocument(yaml: yaml, file: "Scenarios/count.yaml"), kinds: [CountingPlan.self])
    }
  }

  /// Runs the scenario as a command would.
  @discardableResult
  func run(
    _ yaml: String = Workplace.yaml, workers: Int = 1, _ twist: CountingPlan.Twist = .init(),
    _ part: ShardPlan = ShardPlan(), build: RunRecord.Build = RunRecord.Build()
  ) throws -> FinishedRun {
    try ScenarioRunner(
      root: root, command: "assay run Scenarios/count.yaml", context: RunContext(workers: workers),
      gsl: "2.7.1", build: build, part: part
    ).run(scenario(yaml, twist))
  }

  /// Everything in the scenario's folder by path, hidden files included; folders are left out.
  func contents() throws -> [String: String] {
    let top = try folder.path
    var contents: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: top) {
      if ![.nothing, .folder].contains(FileKind(behind: "\(top)/\(name)")) {
        contents[name] = try TextFile.read("\(top)/\(name)")
      }
    }
    return contents
  }

  func write(_ text: String, _ name: RunFolder.Name) throws {
    try AtomicFile.write(text, to: folder.path(name))
  }

  func read(_ name: RunFolder.Name) throws -> String { try TextFile.read(folder.path(name)) }
}
