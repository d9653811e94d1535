// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import ClubCore
internal import FeedFiles
internal import Foundation

/// Reads a feed, and prints the totals of its members' rides as integers: `scripts/benchmark club` measures it next to
/// other readers, and compares its output with the ground truth.
@main
struct ClubBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "club-benchmark",
    abstract: "Tallies a feed's rides by member, the longest distance first, and prints whole numbers as CSV.",
    discussion: "Columns: first name, last name, rides, decimetres, seconds in motion, decimetres up, longest ride.")

  @Argument(help: "A feed file of one activity a line.")
  var feed: String

  @Option(help: "How many workers read lines.")
  var jobs = 1

  func run() throws {
    guard jobs > 0 else { throw ValidationError("--jobs: found \(jobs), expected a number from 1.") }
    guard case .tally(let tally) = try FeedReader(workers: jobs).read(feed) else {
      throw ValidationError("\(feed): found a page, expected one activity a line.")
    }
    let ranking = ClubWeek(tally.week).standings(by: .distance)
    var rows = ""
    rows.reserveCapacity(ranking.count * 64)
    for standing in ranking {
      let (name, tally) = (standing.stats.member.name, standing.stats.tally)
      rows += name.first
      rows += ","
      rows += name.last
      for number in [tally.activities, tally.distance, tally.movingTime, tally.elevation, tally.longest] {
        rows += ","
        rows += String(number)
      }
      rows += "\n"
    }
    try FileHandle.standardOutput.write(contentsOf: Data(rows.utf8))
  }
}
