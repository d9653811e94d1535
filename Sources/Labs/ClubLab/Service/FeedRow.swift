// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Reporting

/// What the service sends of an activity: the bytes of its object in a page.
enum FeedRow {
  /// The bytes.
  ///
  /// - Parameters:
  ///   - activity: The activity; its start is not told.
  ///   - spaces: How many idle spaces stand behind the first name.
  static func bytes(_ activity: Activity, spaces: Int) -> [UInt8] {
    let first = activity.member.name.first + String(repeating: " ", count: spaces)
    let parts = [
      "{\"resource_state\":2,\"athlete\":{\"resource_state\":2,\"firstname\":\(quoted(first))",
      ",\"lastname\":\(quoted(activity.member.name.last))",
      activity.member.token.map { ",\"id\":\(quoted($0.value))" } ?? "",
      "},\"name\":\(quoted(activity.title)),\"distance\":\(metres(activity.distance))",
      ",\"moving_time\":\(activity.movingTime),\"elapsed_time\":\(activity.elapsedTime)",
      ",\"total_elevation_gain\":\(metres(activity.elevation))",
      ",\"type\":\(quoted(activity.sport.name)),\"sport_type\":\(quoted(activity.sport.name))",
      ",\"workout_type\":\(activity.workoutType.map(String.init) ?? "null")}",
    ]
    return Array(parts.joined().utf8)
  }

  private static func quoted(_ text: String) -> String { String(JSONValue.string(text).text.dropLast()) }

  private static func metres(_ length: Length) -> String {
    let (whole, rest) = length.decimetres.quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(whole)" : "\(whole).\(rest)"
  }
}
