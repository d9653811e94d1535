// SPDX-License-Identifier: Apache-2.0
@testable import ClubCore

/// Damages bytes the way that feeds are damaged: some lost, doubled, swapped or turned, values replaced by unlikely
/// ones.
struct FeedMutator {
  private var state: UInt64

  init(seed: Int) {
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// A number from 0 to `bound - 1`, by a generator of its own (xorshift*), because a core sees no other room.
  mutating func number(below bound: Int) -> Int {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % max(bound, 1)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

  private static let bytes =
    Array("\"\\{}[],:.-+eEu0129 \n\r\tntf".utf8) + [0, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]

  private static let values = [
    "0", "-0", "0.0", "-0.0", "1", "007", "00", "6021.0", "6021.5", "1e3", "1E-2", "0.05", "0.04", "1.25", "12345.67",
    "9999999", "9999999.9", "99999999", "99999999.9", "100000000", "100000000.1", "999999999", "1000000000000000000",
    "1e999999999999", "0e999999999999", "-1", ".5", "5.", "+1", "NaN", "Infinity", "null", "true", "false", "{}", "[]",
    "\"\"", "\" \"", "\"\\u0041\"", "\"\\u0000\"", "\"\\ud83c\\udfc3\"", "\"\\ud83c\"", "\"é\"", "\"e\u{301}\"",
    "\"Ride\"", "\"EMountainBikeRide\"", "\"Abcdefghijklmnop\"", "\"Abcdefghijklmnopq\"", "\"Lastname\"", "\"1234567\"",
    "\"2025-10-19T15:24:36Z\"", "\"2025-02-29T15:24:36Z\"", "[[[1]]]", "{\"a\":{\"a\":1}}", "\"\u{7F}\"", "\"\u{9B}\"",
    "\"\u{A0}\"", "\"Łucjam\"", "\"Zoëëëëëëë\"", "\"Zoëëëëëëëz\"", "\"ÑÑÑa\"", "\"ÑÑÑÑ\"",
  ].map { Array($0.utf8) }

  /// Does one kind of damage.
  mutating func mutate(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let place = number(below: bytes.count)
    let end = min(bytes.count, place + 1 + number(below: 12))
    switch number(below: 12) {
    case 0: bytes[place] ^= 1 << UInt8(number(below: 8))
    case 1: bytes[place] = pick(Self.bytes)
    case 2: bytes.insert(pick(Self.bytes), at: place)
    case 3: bytes.removeSubrange(place..<end)
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 5: bytes.swapAt(place, number(below: bytes.count))
    case 6: bytes.removeSubrange(place...)
    default: replaceValue(&bytes, behind: place)
    }
  }

  /// Puts another value behind the next colon.
  private mutating func replaceValue(_ bytes: inout [UInt8], behind place: Int) {
    guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { return }
    var end = colon + 1
    var isInText = false
    while end < bytes.count, isInText || !",}".utf8.contains(bytes[end]) {
      if bytes[end] == UInt8(ascii: "\"") { isInText.toggle() }
      end += 1
    }
    bytes.replaceSubrange(colon + 1..<end, with: pick(Self.values))
  }
}

/// Lines of feeds: the recorded ones, and what other feeds carry.
enum SampleLines {
  static let unusual = [
    #"{"resource_state":2,"athlete":{"id":1234567,"resource_state":1,"firstname":"Ann","lastname":"B."},"name":"x","#
      + #""distance":1000.0,"moving_time":100,"elapsed_time":100,"total_elevation_gain":0,"type":"Ride","#
      + #""sport_type":"GravelRide","workout_type":null,"average_speed":10.25,"start_date":"2025-10-19T15:24:36Z"}"#,
    #"{"athlete":{"lastname":"B.","firstname":"Ann","id":"ab12"},"type":"Ride","distance":1,"elapsed_time":7,"#
      + #""moving_time":6021.0,"total_elevation_gain":1e2,"name":"t","map":{"id":[1,2,{"a":null}]},"kudos_count":17}"#,
    #"{ "athlete" : { "firstname" : "Sarah " , "lastname" : "M." } , "name" : "n" , "distance" : 12.35 , "#
      + #""moving_time" : 5 , "elapsed_time" : 5 , "total_elevation_gain" : 0.0 , "sport_type" : "VirtualRide" , "#
      + #""visibility" : "everyone", "start_date" : null }"#,
    #"{"sport_type":"EMountainBikeRide","type":"EBikeRide","athlete":{"firstname":"José","lastname":"Ñ."},"name":"é","#
      + #""distance":0,"moving_time":0,"elapsed_time":0,"total_elevation_gain":0,"workout_type":10}"#,
  ].map { Array($0.utf8) }

  static func recorded() throws -> [[UInt8]] {
    try RealPages.names.flatMap { try FeedDecoder(source: $0).activities(in: RealPages.bytes($0)).map(\.json) }
  }
}
