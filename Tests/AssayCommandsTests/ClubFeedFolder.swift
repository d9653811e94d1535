// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import TestSupport
import Testing

/// A folder with feed files in it, as the service sends them.
struct ClubFeedFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var url: URL { folder.url }

  /// An activity as the service sends it.
  ///
  /// - Parameters:
  ///   - name: First name and initial, apart by a space.
  ///   - metres: How far, as written in the feed.
  ///   - seconds: In motion.
  ///   - climb: Metres up, as they are written in the feed.
  ///   - sport: The service's word.
  /// - Returns: A line of JSON.
  static func ride(
    _ name: String, _ metres: String, _ seconds: Int, _ climb: String = "0", sport: String = "Ride"
  ) -> String {
    let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
    return """
      {"resource_state":2,"athlete":{"resource_state":2,"firstname":"\(parts[0])","lastname":"\(parts[1])"},\
      "name":"Lunch Ride","distance":\(metres),"moving_time":\(seconds),"elapsed_time":\(seconds),\
      "total_elevation_gain":\(climb),"type":"\(sport)","sport_type":"\(sport)","workout_type":null}
      """
  }

  /// Writes activities as a page.
  func page(_ rides: [String], as name: String) throws {
    _ = try folder.write("[" + rides.joined(separator: ",\n") + "]", as: name)
  }

  /// Writes activities, or whatever, a line each.
  func lines(_ rides: [String], as name: String) throws {
    _ = try folder.write(rides.map { $0 + "\n" }.joined(), as: name)
  }

  /// Compresses a file, which gets `.gz` behind its name.
  func compress(_ name: String) throws {
    let process = try AssayProcess("gzip \(name)", in: url, executable: URL(fileURLWithPath: "/usr/bin/env"))
    try #require(process.status == 0)
  }
}
