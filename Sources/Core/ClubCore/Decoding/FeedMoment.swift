// SPDX-License-Identifier: Apache-2.0
internal import CoreDates

/// Moments as the feed spells them: `2025-10-19T15:24:36Z`, by ISO 8601, in whole seconds of coordinated universal
/// time.
enum FeedMoment {
  /// The seconds since 1970-01-01T00:00:00Z; nil for anything but a moment of the years 1 to 9999.
  static func seconds(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    guard end - start == 20 else { return nil }
    for (place, mark) in zip(0..., "dddd-dd-ddTdd:dd:ddZ".utf8) {
      let byte = bytes[start + place]
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      guard mark == UInt8(ascii: "d") ? isDigit : byte == mark else { return nil }
    }
    func pair(_ place: Int) -> Int {
      Int(bytes[start + place] - UInt8(ascii: "0")) * 10 + Int(bytes[start + place + 1] - UInt8(ascii: "0"))
    }
    let date = CivilDate(year: pair(0) * 100 + pair(2), month: pair(5), dayOfMonth: pair(8))
    let (hour, minute, second) = (pair(11), pair(14), pair(17))
    guard date.year > 0, date.exists, hour < 24, minute < 60, second < 60 else { return nil }
    return date.day * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// A moment's spelling, rounded down to the second; nil outside of the years 1 to 9999.
  static func text(of moment: Moment) -> String? {
    let date = CivilDate(day: moment.seconds.floorDivided(by: 86_400))
    guard (1...9999).contains(date.year) else { return nil }
    let second = moment.seconds - date.day * 86_400
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }
    return "\(date)T\(clock.joined(separator: ":"))Z"
  }
}
