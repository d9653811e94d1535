// SPDX-License-Identifier: GPL-3.0-or-later
import CZlib
import Foundation
import MonteCarlo
import Randomness
import Reporting
@testable import Sampling
import Scenarios
import Testing

/// A walk that ends where it began, or does something worse once in a thousand samples.
private struct Walk: SampledExperiment {
  enum Fault { case none, trap, recursion, endless, noNumber }

  static let kind = "random.walk"
  static let summary = "Steps to the left and to the right."
  var fault = Fault.none
  static let parameters: [Parameter<Self>] = []
  static let measures: [SampleMeasure<Double>] = [
    .mean("distance", "How far it came.", unit: "m") { $0 }, .share("far", "Walks beyond one.") { abs($0) > 1 },
  ]

  func sample(_ random: inout RandomStream) -> Double {
    let isBad = random.happens(0.001)
    switch isBad ? fault : .none {
    case .none: break
    case .trap: return [0.0][random.integer(in: 1...1)]
    case .recursion: return Double(Self.deeper(random.integer(in: 1...1)))
    case .endless: while true { _ = random.word() }
    case .noNumber: return .nan
    }
    return random.gaussian()
  }

  private static func deeper(_ depth: Int) -> Int { depth < 0 ? 0 : depth &+ deeper(depth &+ 1) }

  /// A context whose commands are known.
  static func context(workers: Int = 2, file: String? = nil, limit: Duration? = nil) -> RunContext {
    var context = RunContext(workers: workers)
    (context.samples.file, context.samples.limit) = (file, limit)
    context.samples.again = { "walks random walk --only \($0)" }
    return context
  }

  static func run(_ fault: Fault, on context: RunContext, only: Int? = nil, samples: Int = 10_000) throws
    -> ScenarioResult
  {
    var walk = Sampled<Walk>()
    (walk.core.fault, walk.only, walk.samples) = (fault, only, samples)
    return try walk.run(on: context)
  }
}

@Suite("One sample can be drawn again by itself")
struct SingleSampleTests {
  /// The number of the sample that a text names with its command.
  private func number(in result: ExitTest.Result?) throws -> Int {
    let bytes = try #require(result?.standardErrorContent)
    let text = String(decoding: bytes, as: UTF8.self)
    let match = try #require(
      text.firstMatch(of: /in sample (\d+)\n  to draw it alone: walks random walk --only (\d+)\n/), "\(text)")
    #expect(match.1 == match.2)
    return try #require(Int(match.1))
  }

  /// Returns true if the fault is in that sample.
  private func isBad(_ number: Int) throws -> Bool {
    let alone = try Walk.run(.noNumber, on: Walk.context(), only: number)
    guard case .object(let members) = alone.data,
      case .object(let values)? = members.first(where: { $0.key == "values" })?.value
    else { return false }
    return values.first?.value == .figure(.nan)
  }

  @Test("a sample that traps is named before the process ends, with the command that draws it alone")
  func trap() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Walk.run(.trap, on: Walk.context())
    }
    #expect(try isBad(number(in: result)))
  }

  @Test("a sample with endless recursion is named too, on any thread")
  func recursion() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try Walk.run(.recursion, on: Walk.context())
    }
    #expect(try isBad(number(in: result)))
  }

  @Test("a sample that exceeds the time limit ends the process with exit code 1, and is named")
  func endless() async throws {
    let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      _ = try Walk.run(.endless, on: Walk.context(limit: .milliseconds(300)))
    }
    #expect(try isBad(number(in: result)))
  }

  @Test("drawn alone, a sample shows how many values it drew, and the first of them")
  func draws() async throws {
    let bad = try #require(try (0..<10_000).first { try isBad($0) })
    let alone = try Walk.run(.noNumber, on: Walk.context(), only: bad)
    let tables = alone.document.sections.flatMap(\.blocks).compactMap { block -> ReportTable? in
      if case .table(let table) = block { table } else { nil }
    }
    #expect(tables.last?.caption == "It drew 1 value.")
    #expect(tables.last?.table.rows == [["1", "1", "happens"]])
    let sound = try Walk.run(.none, on: Walk.context(), only: 7)
    guard case .object(let members) = sound.data,
      case .object(let values)? = members.first(where: { $0.key == "values" })?.value,
      case .table(let drawn)? = sound.document.sections.flatMap(\.blocks).last
    else { throw NoTable() }
    #expect(members.first { $0.key == "draws" }?.value == 2)
    #expect(drawn.table.rows.map { $0[2] } == ["happens", "gaussian"])
    #expect(values.first?.value == .number(Double(drawn.table.rows[1][1]) ?? .nan))
  }

  private struct NoTable: Error {}
}

@Suite("All samples can be written to a file")
struct SampleFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("samples-\(UUID().uuidString)")

  private func inFolder(_ body: (String) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  /// A file's text, inflated where it is compressed.
  private func text(of path: String) throws -> String {
    let file = try unsafe #require(gzopen(path, "rb"))
    defer { unsafe gzclose(file) }
    var (bytes, part) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while case let count = unsafe gzread(file, &part, UInt32(part.count)), count > 0 { bytes += part[..<Int(count)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    "it has a row for each sample in their order, with the same bytes at any number of workers",
    arguments: SampleHandling.fileEndings)
  func rows(ending: String) throws {
    try inFolder { folder in
      let results = try [1, 3].map { workers in
        try Walk.run(.none, on: Walk.context(workers: workers, file: "\(folder)/\(workers)\(ending)"), samples: 3000)
      }
      let (one, other) = ("\(folder)/1\(ending)", "\(folder)/3\(ending)")
      #expect(FileManager.default.contents(atPath: one) == FileManager.default.contents(atPath: other))
      let bytes = try #require(FileManager.default.contents(atPath: one))
      #expect(bytes.starts(with: [0x1f, 0x8b]) == ending.hasSuffix(".gz"))
      var lines = try text(of: one).split(separator: "\n").map(String.init)
      if ending.contains("csv") { #expect(lines.removeFirst() == "sample,distance,far") }
      let rows = try lines.map { line -> (sample: Int, distance: Double, far: Bool) in
        if ending.contains("csv") {
          let cells = line.split(separator: ",")
          return (try #require(Int(cells[0])), try #require(Double(cells[1])), cells[2] == "true")
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        return (
          try #require(object["sample"] as? Int), try #require(object["distance"] as? Double),
          try #require(object["far"] as? Bool)
        )
      }
      #expect(rows.map(\.sample) == Array(0..<3000))
      #expect(rows.allSatisfy { $0.far == (abs($0.distance) > 1) })
      let found = results[0].measurements
      #expect(abs(found[0].estimate - rows.map(\.distance).mean) < 1e-12)
      #expect(found[1].value == .proportion(successes: rows.count(where: \.far), trials: 3000))
      #expect(results[0].measurements == results[1].measurements)
    }
  }

  @Test("at most 256 blocks wait for a slow one, and none for a block that is not running or beyond the end")
  func bounded() throws {
    try inFolder { folder in
      let file = try SampleFile(folder + "/rows.csv", columns: [("value", false)])
      var maximum = 0
      /// Draws blocks of a row each; the slow one is there only when a block waits for it.
      func draw(_ blocks: ClosedRange<Int>, slow: Int?) throws {
        var asked = 0
        if let slow { file.take(slow) { true } }
        for block in blocks where block != slow {
          file.take(block) {
            asked += 1
            guard let slow, asked == 1 else { return true }
            #expect(throws: Never.self) { try file.add([0.5], of: slow, from: slow) }
            file.drop(slow)
            return false
          }
          try file.add([0.5], of: block, from: block)
          file.drop(block)
          maximum = max(maximum, file.waiting)
        }
        #expect(asked == (slow == nil ? 0 : 1))
      }
      try draw(0...600, slow: 0)
      #expect(maximum == SampleFile.maxWaiting && file.waiting == 0)
      try draw(601...1200, slow: 601)
      // A block that nobody has in hand any more is waited for by nobody.
      try draw(1202...1800, slow: nil)
      #expect(file.waiting == 599)
      try file.keep()
      #expect(try text(of: folder + "/rows.csv").split(separator: "\n").count == 1202)
      // Nor does anybody wait once the run is stopped.
      let other = try SampleFile(folder + "/other.csv", columns: [("value", false)])
      other.take(0) { true }
      other.take(1000) { true }
    }
  }

  @Test("it has the samples up to an early end, and after an interruption the counted ones")
  func shorter() throws {
    try inFolder { folder in
      var walk = Sampled<Walk>()
      walk.samples = 100_000
      let far = try #require(walk.measures.last)
      walk.setStoppingThresholds([SampledThreshold(measure: far, threshold: try Threshold("far <= 60% at 0.99"))])
      let early = try walk.run(on: Walk.context(file: "\(folder)/early.csv"))
      let samples = try #require(early.measurements.first?.samples)
      #expect(samples < 10_000)
      #expect(try text(of: "\(folder)/early.csv").split(separator: "\n").count == samples + 1)
      var context = RunContext(workers: 2, maxSamples: 1000)
      context.samples.file = "\(folder)/part.csv"
      let part = try Walk.run(.none, on: context)
      #expect(!part.isComplete)
      #expect(
        try text(of: "\(folder)/part.csv").split(separator: "\n").count == (part.measurements.first?.samples ?? 0) + 1)
    }
  }

  @Test("a run that ends with an error keeps the earlier file")
  func failed() throws {
    try inFolder { folder in
      let path = folder + "/walks.jsonl.gz"
      try Data("earlier".utf8).write(to: URL(fileURLWithPath: path))
      #expect(throws: UnusableSample.self) { try Walk.run(.noNumber, on: Walk.context(file: path)) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["walks.jsonl.gz"])
      #expect(FileManager.default.contents(atPath: path) == Data("earlier".utf8))
      #expect(throws: ReportingError.self) { try Walk.run(.none, on: Walk.context(file: folder + "/none/walks.csv")) }
    }
  }
}
