// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

/// A document that people take for a member's activities, by its beginning: what it is, and what to give instead.
struct ForeignDocument {
  let found: String
  let expected: String

  /// The kind of a document that is no JSON; `nil` for one that may be.
  init?(_ bytes: [UInt8]) {
    let beginning = String(decoding: bytes.prefix(4096), as: UTF8.self)
    let text = beginning.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard text.first == "<" else { return nil }
    let lowered = text.lowercased()
    if lowered.contains("<gpx") {
      (found, expected) = ("a GPX recording of one activity", Self.activities)
    } else if lowered.contains("<trainingcenterdatabase") {
      (found, expected) = ("a TCX recording of one activity", Self.activities)
    } else if lowered.contains("<html") || lowered.contains("<!doctype html") || lowered.contains("<head") {
      let title = Self.title(of: text, lowered: lowered).map { " titled '\($0)'" } ?? ""
      let isLogin = ["log in", "login", "sign in", "password"].contains(where: lowered.contains)
      found = "\(isLogin ? "a log-in page" : "a web page") in HTML\(title)"
      expected =
        "\(Self.activities); a browser's address is not the API: ask https://www.strava.com/api/v3/athlete/activities"
        + " with an access token"
    } else {
      (found, expected) = ("a document of XML or HTML", Self.activities)
    }
  }

  private static func title(of text: some StringProtocol, lowered: String) -> String? {
    guard lowered.count == text.count, let start = lowered.firstRange(of: "<title"),
      let open = lowered[start.upperBound...].firstIndex(of: ">"),
      let end = lowered[open...].firstRange(of: "</title")
    else { return nil }
    let (skipped, length) = (
      lowered.distance(from: lowered.startIndex, to: open) + 1, lowered.distance(from: open, to: end.lowerBound) - 1
    )
    let title = text.dropFirst(skipped).prefix(max(0, length)).split(whereSeparator: \.isWhitespace)
    return title.isEmpty ? nil : Excerpt.of(title.joined(separator: " ").utf8)
  }

  static let activities =
    "members' activities: pages of GET /athlete/activities, one activity a line, or activities.csv of Strava's export"
}

/// An object of JSON that is no activity but another answer of the service.
enum ForeignObject {
  /// The error for a document that begins with such an object; `nil` for activities and for unknown objects.
  static func problem(_ node: JSONNode, at location: FeedLocation) -> ClubError? {
    let names = Set(node.members.map(\.name))
    guard names.isDisjoint(with: ["athlete", "distance", "moving_time", "start_date", "start_date_local"]) else {
      return nil
    }
    if let message = node["message"]?.string {
      return .serviceRefused(location, message: Excerpt.of(message.utf8))
    }
    guard let kind = kinds.first(where: { names.isSuperset(of: $0.names) }) else { return nil }
    return .badFeed(location, field: "", found: kind.found, expected: ForeignDocument.activities)
  }

  private static let kinds: [(names: Set<String>, found: String)] = [
    (["access_token"], "an answer with access tokens, which nobody else should see"),
    (["member_count"], "the description of a club"),
    (["membership", "firstname"], "a list of a club's members"),
    (["firstname", "lastname", "username"], "an athlete's profile"),
    (["firstname", "lastname", "profile"], "an athlete's profile"),
    (["firstname", "lastname"], "a person without activities"),
    (["recent_ride_totals"], "an athlete's totals"),
    (["latlng"], "the streams of one activity"), (["series_type", "data"], "the streams of one activity"),
    (["type", "features"], "a GeoJSON document"),
  ]
}
