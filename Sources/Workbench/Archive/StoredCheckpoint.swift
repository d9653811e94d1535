// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation
package import MonteCarlo
internal import Reporting
package import Scenarios

/// One of several parts of a run, from 1: `3/64`, also in files.
package struct Shard: Hashable, Sendable, Codable, CustomStringConvertible {
  package static let maximum = 1_000_000_000

  package let number: Int
  package let count: Int

  package init?(number: Int, count: Int) {
    guard (1...Self.maximum).contains(count), (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(number: number, count: count)
  }

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let shard = Shard(try value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "no shard")
    }
    self = shard
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }

  package var description: String { "\(number)/\(count)" }

  package var share: Checkpoint.Share { .part(number: number, count: count) }
}

/// The part of a run to play, and its beginning.
package struct ShardPlan: Sendable {
  package var shard: Shard?
  /// True if known blocks are only merged and none is played.
  package var isMerge = false
  package var records: [Checkpoint.Record] = []
  /// The folder of the run to continue; `nil` for the default one.
  package var folder: String?

  package init(shard: Shard? = nil) { self.shard = shard }

  var share: Checkpoint.Share { isMerge ? .none : shard?.share ?? .all }
}

/// The first line of a checkpoint: the run that it belongs to.
///
/// The run is identified by the scenario's whole text: two scenarios may share the eight digits in names.
struct CheckpointHeader: Hashable, Codable {
  static let schema = "assay.checkpoint/2"

  let schema: String
  let slug: String
  /// The scenario as resolved.
  let scenario: String
  let assay: String
  let gsl: String
  let commit: String?
  let isChanged: Bool
  let binary: String?
  var shard: Shard?

  init(_ scenario: Scenario, gsl: String, build: RunRecord.Build, shard: Shard?) {
    (schema, slug, self.scenario) = (Self.schema, scenario.slug, scenario.resolved)
    (assay, self.gsl, self.shard) = (Version.current, gsl, shard)
    (commit, isChanged, binary) = (build.commit, build.isChanged, build.binary)
  }

  /// The beginning of a run that was killed before its first checkpoint; `nil` if its folder is not that of one.
  init?(of stored: StoredRun) {
    guard let record = stored.latest, stored.canBegin, let scenario = stored.folder.text(.scenario) else { return nil }
    let name = URL(fileURLWithPath: stored.folder.path).lastPathComponent
    let digest = "-\(Fingerprint.short(scenario))"
    guard let end = name.range(of: digest, options: .backwards)?.lowerBound else { return nil }
    (schema, slug, self.scenario) = (Self.schema, String(name[..<end]), scenario)
    (assay, gsl, shard) = (record.assay, record.gsl, record.part.flatMap { Shard($0) })
    (commit, isChanged, binary) = (record.build.commit, record.build.isChanged, record.build.binary)
  }

  var text: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Strings and numbers can always be encoded.
    return (try? encoder.encode(self)) ?? Data()
  }

  /// The obstacle to continuing another run's checkpoint; `nil` if there is none.
  func obstacle(to other: CheckpointHeader) -> (found: String, expected: String)? {
    guard (slug, scenario) == (other.slug, other.scenario) else {
      let lines = zip(scenario.split(separator: "\n"), other.scenario.split(separator: "\n")).first { $0 != $1 }
      func words(_ header: Self, _ line: Substring?) -> String {
        "\(header.slug), digest \(Fingerprint.short(header.scenario))" + (line.map { ", with '\($0)'" } ?? "")
      }
      return ("scenario " + words(self, lines?.0), words(other, lines?.1))
    }
    for (name, mine, others) in [("Assay", assay, other.assay), ("GSL", gsl, other.gsl)] where mine != others {
      return ("\(name) \(mine)", others)
    }
    guard build.isSameCode(as: other.build) else {
      return ("build \(build.words)", "\(other.build.words), since another build may give other results")
    }
    return nil
  }

  private var build: RunRecord.Build { RunRecord.Build(commit: commit, isChanged: isChanged, binary: binary) }
}

extension RunRecord.Build {
  fileprivate var words: String {
    let code = binary.map { "binary \($0.prefix(8))" } ?? "unknown"
    return commit == nil ? code : "\(commitText) (\(code))"
  }
}

/// The checkpoint in a run's folder.
package struct StoredCheckpoint: Sendable {
  package let folder: String
  package var shard: Shard? { header.shard }
  package var slug: String { header.slug }
  package let records: [Checkpoint.Record]
  /// The number of damaged lines, which are left out; their blocks are played again.
  package let damagedLines: Int
  private let header: CheckpointHeader

  /// The checkpoint in a folder; one without records for a run that was killed before it had any.
  ///
  /// - Throws: `ArchiveError.checkpoint` if there is none, or its beginning is damaged.
  package init(in folder: String) throws(ArchiveError) {
    let location = RunFolder(folder)
    guard location.has(.checkpoint) else {
      let stored = StoredRun(location)
      if let header = CheckpointHeader(of: stored) {
        (self.folder, self.header, records, damagedLines) = (folder, header, [], 0)
        return
      }
      let problem =
        if stored.latest == nil {
          "found no run, expected the folder of one"
        } else if stored.isComplete {
          "the run is complete, so there is nothing to continue"
        } else {
          "found none. \(stored.hint)"
        }
      throw .checkpoint(path: folder, problem: problem)
    }
    let path = location.path(.checkpoint)
    do throws(CheckpointError) {
      let content = try Checkpoint.Content(of: path)
      guard let header = try? JSONDecoder().decode(CheckpointHeader.self, from: content.header),
        header.schema == CheckpointHeader.schema
      else { throw CheckpointError.damaged(path: path) }
      (self.folder, self.header, records) = (folder, header, content.records)
      damagedLines = content.damagedLines
    } catch {
      throw .checkpoint(
        path: path, problem: "it is damaged, or of another version of Assay; run the scenario again to start over")
    }
  }

  /// The checkpoint of a scenario in its default folder; `nil` if there is none to continue.
  package init?(of scenario: Scenario, below root: String) {
    let folder = RunFolder(of: scenario, in: root)
    guard folder.has(.checkpoint), let stored = try? StoredCheckpoint(in: folder.path) else { return nil }
    self = stored
  }

  /// The command that began the run; `nil` if its folder does not have it.
  package var command: String? { (try? RunFolder(folder).intact(.run, RunFile.init(contentsOf:)))?.latest.command }

  /// The scenario of the run.
  package func scenario(kinds: [any Experiment.Type]) throws -> Scenario {
    try Scenario(
      ScenarioDocument(yaml: header.scenario, file: RunFolder(folder).path(.scenario)), kinds: kinds, slug: header.slug)
  }

  /// Checks that this program may continue it.
  ///
  /// - Throws: `ArchiveError.checkpoint` for another scenario, seed, version or build.
  package func check(
    for scenario: Scenario, gsl: String, build: RunRecord.Build
  ) throws(ArchiveError) {
    let expected = CheckpointHeader(scenario, gsl: gsl, build: build, shard: nil)
    if let (found, expected) = header.obstacle(to: expected) {
      throw .checkpoint(path: RunFolder(folder).path(.checkpoint), problem: "found \(found), expected \(expected)")
    }
  }

  /// The records of several shards of one run, and those of an earlier run in the folder of the merge.
  ///
  /// - Throws: `ArchiveError.checkpoint` naming folders that do not belong together, that are damaged, or that have
  ///   finished the same blocks in different ranges or with different results.
  package static func united(
    _ shards: [StoredCheckpoint], over earlier: StoredCheckpoint? = nil
  ) throws(ArchiveError) -> [Checkpoint.Record] {
    var united: [(record: Checkpoint.Record, folder: String)] = []
    for shard in shards {
      if let (found, expected) = shards.first.flatMap({ shard.header.obstacle(to: $0.header) }) {
        throw .checkpoint(
          path: shard.folder, problem: "found \(found), expected \(expected) as in '\(shards[0].folder)'")
      }
      guard shard.damagedLines == 0 else {
        throw .checkpoint(
          path: shard.folder,
          problem: "found \(NumberFormat.counted(shard.damagedLines, "damaged line")); finish it first: "
            + ShellLine.text(["assay", "resume", shard.folder]))
      }
      united += shard.records.map { ($0, shard.folder) }
    }
    united.sort {
      ($0.record.section, $0.record.blocks.lowerBound, $0.record.blocks.upperBound)
        < ($1.record.section, $1.record.blocks.lowerBound, $1.record.blocks.upperBound)
    }
    var disjoint: [(record: Checkpoint.Record, folder: String)] = []
    for one in united {
      if let last = disjoint.last, last.record.section == one.record.section,
        last.record.blocks.upperBound > one.record.blocks.lowerBound
      {
        if last.record.isSame(as: one.record) { continue }
        throw .checkpoint(
          path: one.folder,
          problem: last.record.blocks == one.record.blocks
            ? "its blocks \(one.record.words) have other results than those of '\(last.folder)'"
            : "its blocks \(one.record.words) overlap blocks \(last.record.words) of '\(last.folder)'; merge shards of "
              + "one division")
      }
      disjoint.append(one)
    }
    let records = disjoint.map(\.record)
    guard let first = shards.first, let earlier else { return records }
    return try records + earlier.lacking(in: records, of: first)
  }

  /// The records of this checkpoint that others lack, which a merge would replace.
  ///
  /// - Throws: `ArchiveError.checkpoint` if the two cannot be combined.
  private func lacking(
    in records: [Checkpoint.Record], of other: StoredCheckpoint
  ) throws(ArchiveError) -> [Checkpoint.Record] {
    func kept(_ problem: String) -> ArchiveError {
      .checkpoint(
        path: folder,
        problem: "there is an incomplete run there, \(problem); continue it by '"
          + ShellLine.text(["assay", "resume", folder]) + "', or choose another folder with --runs")
    }
    if let (found, expected) = header.obstacle(to: other.header) {
      throw kept("found \(found), expected \(expected) as in '\(other.folder)'")
    }
    let played = Dictionary(grouping: records, by: \.section).mapValues { RangeSet($0.map(\.blocks)) }
    var lacking: [Checkpoint.Record] = []
    for record in self.records {
      let mine = RangeSet(record.blocks)
      let common = mine.intersection(played[record.section] ?? RangeSet())
      guard common.isEmpty || common == mine else {
        throw kept("whose blocks \(record.words) overlap those of the shards")
      }
      if common.isEmpty { lacking.append(record) }
    }
    return lacking
  }

  /// The blocks that a merge misses, with their shards; `nil` if the next round plays them: none was played, or their
  /// shards ended, as they should, at an earlier section that others completed.
  package static func missing(_ open: Checkpoint.OpenSection, of shards: [StoredCheckpoint]) -> String? {
    guard open.missing != [open.blocks] else { return nil }
    let counts = Set(shards.compactMap { $0.shard?.count })
    var owners = RangeSet<Int>()
    if let count = counts.first, counts.count == 1 {
      for blocks in open.missing {
        let ends = [blocks.lowerBound, blocks.upperBound - 1].map {
          Checkpoint.Share.part(playing: $0, of: open.blocks, count: count)
        }
        owners.insert(contentsOf: ends[0]..<ends[1] + 1)
      }
      var absent = owners
      for number in behind(open, shards) { absent.remove(contentsOf: number..<number + 1) }
      if absent.isEmpty { return nil }
      owners = absent
    }
    let owned = owners.isEmpty ? "" : ", of shards \(listed(owners.ranges)) of \(counts.first ?? 0)"
    return "\(Checkpoint.words(ofSection: open.number)) lacks blocks \(listed(open.missing))\(owned)"
  }

  /// The numbers of the shards that ended at a section before an open one, with blocks that others played.
  private static func behind(_ open: Checkpoint.OpenSection, _ shards: [StoredCheckpoint]) -> [Int] {
    let played = shards.map { shard in
      Dictionary(grouping: shard.records.filter { $0.isBefore(open) }, by: \.section)
        .mapValues { RangeSet($0.map(\.blocks)) }
    }
    let all = played.reduce(into: [Int: RangeSet<Int>]()) { all, one in
      all.merge(one) { $0.union($1) }
    }
    return zip(shards, played).compactMap { shard, own in
      all.contains { section, blocks in own[section] != blocks } ? shard.shard?.number : nil
    }
  }

  /// The first ranges as text, since there may be millions.
  private static func listed(_ ranges: some Collection<Range<Int>>) -> String {
    let texts = ranges.prefix(8).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)" }
    return texts.joined(separator: ", ") + (ranges.count > 8 ? " and \(ranges.count - 8) more ranges" : "")
  }
}

extension Checkpoint.Record {
  /// Returns true if it belongs to a section before another of the same part of the run.
  fileprivate func isBefore(_ open: Checkpoint.OpenSection) -> Bool {
    section < open.number && Checkpoint.isSamePart(section, open.number)
  }

  fileprivate var words: String {
    "\(blocks.lowerBound)-\(blocks.upperBound - 1) of \(Checkpoint.words(ofSection: section))"
  }
}
