// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Statistics
import Synchronization
import TestSupport
import Testing

@testable import MonteCarlo

/// A run of several sections, one of which is as long as its results ask for.
private struct Program {
  static let rounds = 20_000

  let header = Data("{}".utf8)
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("assay-\(UUID().uuidString)").path

  struct Result: Equatable {
    var tallies: [MomentTally] = []
    var blocks: [Int] = []
  }

  /// - Returns: `nil` where it was ended early.
  func play(
    _ checkpoint: Checkpoint?, workers: Int = 2, maxSamples: Int? = nil,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws -> Result? {
    let interrupt = Interrupt()
    let workers = Workers(workers, checkpoint: checkpoint, maxSamples: maxSamples)
    var result = Result()
    let points = try PointsInCircle()
    for seed in 0..<3 {
      let plan = try BlockPlan(
        seed == 1
          ? .anytime(atMost: Self.rounds) : .rounds(5_000 + seed), roundsPerBlock: 100,
        firstWave: 4)
      var total = MomentTally()
      let outcome = try points.run(
        plan, workers: workers, interrupt: interrupt, progress: progress,
        evaluate: { wave in
          total.merge(wave)
          return abs(total.mean - 0.8) < 0.1 && total.count > 7000
        })
      result.tallies.append(outcome.tally)
      result.blocks.append(outcome.blocks)
    }
    checkpoint?.finish()
    return interrupt.isRaised ? nil : result
  }

  func checkpoint(_ records: [Checkpoint.Record] = [], share: Checkpoint.Share = .all) throws -> Checkpoint {
    try Checkpoint(path, header: header, records: records, share: share, interval: .zero)
  }

  func content() throws -> Checkpoint.Content { try Checkpoint.Content(of: path) }
}

@Suite("Runs that stop and go on")
struct CheckpointTests {
  private let program = Program()

  @Test("Any number of interruptions at any blocks leave no trace", arguments: 0..<12 as Range<UInt64>)
  func interruptions(seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    let whole = try program.play(nil)
    var records: [Checkpoint.Record] = []
    var played = 0
    while true {
      played += Int.random(in: 1...4000, using: &chance)
      let checkpoint = try program.checkpoint(records)
      let result = try program.play(
        checkpoint, workers: Int.random(in: 1...3, using: &chance), maxSamples: played)
      if let result {
        #expect(result == whole)
        return
      }
      records = try program.content().records
      #expect(!records.isEmpty)
    }
  }

  @Test("Any division into shards, in any order, leaves no trace", arguments: [1, 2, 5, 13])
  func shards(count: Int) throws {
    let whole = try program.play(nil)
    var chance = SplitMix64(seed: UInt64(count))
    var records: [Checkpoint.Record] = []
    for _ in 0..<40 {
      var found: Set<Checkpoint.Record> = []
      for number in (1...count).shuffled(using: &chance) {
        _ = try program.play(program.checkpoint(records, share: .part(number: number, count: count)))
        found.formUnion(try program.content().records)
      }
      records = Array(found)
      let merged = try program.checkpoint(records, share: .none)
      if let result = try program.play(merged) {
        #expect(result == whole)
        return
      }
      let open = try #require(merged.open)
      #expect(open.missing == [open.blocks], "a round of all shards leaves no gap")
    }
    Issue.record("the rounds do not come to an end")
  }

  @Test("A merge names the blocks of a shard that is missing")
  func missingShard() throws {
    var records: [Checkpoint.Record] = []
    for number in [1, 3] {
      _ = try program.play(program.checkpoint(share: .part(number: number, count: 3)))
      records += try program.content().records
    }
    let merged = try program.checkpoint(records, share: .none)
    #expect(try program.play(merged) == nil)
    #expect(merged.open == Checkpoint.OpenSection(number: 0, blocks: 0..<50, missing: [17..<34]))
  }

  @Test("A line that is cut off or damaged is never trusted and played again; all others are kept")
  func damage() throws {
    let whole = try program.play(nil)
    _ = try program.play(program.checkpoint(), maxSamples: 9_000)
    let (bytes, records) = (try Data(contentsOf: URL(fileURLWithPath: program.path)), try program.content().records)
    #expect(records.count > 10)
    let header = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    for index in stride(from: 0, to: bytes.count, by: 7) {
      var flipped = bytes
      flipped[index] ^= 1
      for (damaged, isCut) in [(bytes[..<index], true), (flipped, false)] {
        try Data(damaged).write(to: URL(fileURLWithPath: program.path))
        guard index > header else {
          #expect(throws: CheckpointError.damaged(path: program.path)) { try program.content() }
          continue
        }
        let found = try program.content()
        if isCut {
          #expect(found.records.elementsEqual(records.prefix(found.records.count)))
          #expect(found.records.count < records.count)
        } else {
          // A flipped line end damages two lines.
          #expect((1...2).contains(records.count - found.records.count) && (1...2).contains(found.damagedLines))
          #expect(Set(found.records).isSubset(of: records))
        }
        guard index % 217 == 0 else { continue }
        #expect(try program.play(program.checkpoint(found.records)) == whole)
      }
    }
  }

  @Test(
    "A record that is no tally of the run is ignored and played again",
    arguments: [
      "[1]", "[1,2]", "[1,2,\"3\",4]", "[1,2,\"1e9\"]", "{}", "7", "[1,2,3]",
      "[9223372036854775807,1,\"1\"]", "[1,-9223372036854775808,\"1\"]", "[4611686018427387904,1,\"1\"]",
    ])
  func forged(tally: String) throws {
    let whole = try program.play(nil)
    _ = try program.play(program.checkpoint(), maxSamples: 4_000)
    let records = try program.content().records.map { record in
      Checkpoint.Record(section: record.section, blocks: record.blocks, tally: Data(tally.utf8))
    }
    #expect(!records.isEmpty)
    #expect(try program.play(program.checkpoint(records)) == whole)
  }

  @Test("Records whose numbers cannot be added up are played again")
  func overflow() throws {
    let whole = try program.play(nil)
    _ = try program.play(program.checkpoint(), maxSamples: 4_000)
    // How many records there are depends on the workers' turns, so these have a block each.
    let section = try #require(try program.content().records.first).section
    let forged = (0..<8).map { block in
      Checkpoint.Record(
        section: section, blocks: block..<block + 1, tally: Data("[\(1 << 61),\(1 << 60),\"1\"]".utf8))
    }
    // One alone would be merged, and so make another result; eight times 2^61 would be too much.
    #expect(try program.play(program.checkpoint(Array(forged.prefix(1)))) != whole)
    #expect(throws: Never.self) { try program.play(program.checkpoint(forged)) }
  }

  @Test("A single block is played by every part, so that all go on together; several blocks are divided")
  func single() {
    let parts = (1...4).map { Checkpoint.Share.part(number: $0, count: 4) }
    #expect(parts.map { $0.of(7..<8) } == Array(repeating: 7..<8, count: 4))
    #expect(parts.map { $0.of(7..<9) } == [7..<8, 8..<9, 9..<9, 9..<9])
    #expect(Checkpoint.Share.none.of(7..<8).isEmpty && Checkpoint.Share.part(number: 1, count: 1).of(0..<5) == 0..<5)
  }

  @Test("Results of one process are the same as those of another that wrote a dictionary in another order")
  func order() {
    func record(_ text: String) -> Checkpoint.Record {
      Checkpoint.Record(section: 1, blocks: 0..<1, tally: Data(text.utf8))
    }
    #expect(record("{\"a\":[1,{\"b\":2},3,{\"b\":4}]}").isSame(as: record("{\"a\":[3,{\"b\":4},1,{\"b\":2}]}")))
    #expect(!record("{\"a\":[1,2]}").isSame(as: record("{\"a\":[1,3]}")))
    #expect(!record("nonsense").isSame(as: record("other nonsense")))
  }

  @Test("The part that plays a block is found without asking all parts")
  func parts() {
    var chance = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let first = Int.random(in: 0...50, using: &chance)
      let blocks = first..<first + Int.random(in: 1...40, using: &chance)
      let count = Int.random(in: 1...60, using: &chance)
      for block in blocks {
        let number = Checkpoint.Share.part(playing: block, of: blocks, count: count)
        #expect(Checkpoint.Share.part(number: number, count: count).of(blocks).contains(block))
      }
    }
  }

  @Test("The progress of a run that goes on counts what was known, once")
  func progress() throws {
    func total(_ checkpoint: Checkpoint?) throws -> Int {
      let total = Mutex(0)
      _ = try program.play(checkpoint, progress: { samples in total.withLock { $0 += samples } })
      return total.withLock(\.self)
    }
    let all = try total(nil)
    _ = try program.play(program.checkpoint(), maxSamples: 7_000)
    #expect(try total(program.checkpoint(program.content().records)) == all)
  }

  @Test("A checkpoint replaces the earlier one and keeps its permissions")
  func permissions() throws {
    _ = try program.checkpoint()
    _ = unsafe chmod(program.path, 0o640)
    _ = try program.play(program.checkpoint(), maxSamples: 7_000)
    let attributes = try FileManager.default.attributesOfItem(atPath: program.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try !program.content().records.isEmpty)
  }

  @Test("A checkpoint that cannot be written leaves what was there, and says why")
  func unwritable() throws {
    let path = program.path + "/no/such/folder"
    #expect(throws: CheckpointError.unwritable(path: path, code: ENOENT)) {
      try Checkpoint(path, header: program.header)
    }
  }
}
