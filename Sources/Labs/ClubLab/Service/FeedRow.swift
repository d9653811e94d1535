// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// What the service sends of an activity: the bytes of its object in a page.
enum FeedRow {
  /// The bytes.
  ///
  /// - Parameters:
  ///   - activity: The activity.
  ///   - spaces: How many idle spaces stand behind the first name.
  /// - Returns: One JSON object.
  static func bytes(_ activity: Activity, spaces: Int) -> [UInt8] {
    let bytes = activity.json
    guard spaces > 0 else { return bytes }
    // A quote within a name is escaped, so these bytes are the end of the first name.
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.firstRange(of: #"","lastname":""#) else { return bytes }
    return Array((text[..<end.lowerBound] + String(repeating: " ", count: spaces) + text[end.lowerBound...]).utf8)
  }
}
