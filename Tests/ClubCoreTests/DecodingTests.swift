// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Foundation
import Testing

@Suite("Decoding a feed")
struct DecodingTests {
  @Test("the real pages are read to the last activity", arguments: RealPages.names)
  func realPages(name: String) throws {
    let activities = try FeedDecoder(source: name).activities(in: RealPages.bytes(name))
    #expect(activities.count == 30)
  }

  @Test("an activity becomes exact integers")
  func exact() throws {
    let page = try FeedDecoder(source: "page").activities(in: RealPages.bytes("all_club_activities-0"))
    let first = try #require(page.first)
    #expect(first.member.name.description == "chrism L.")
    #expect(first.title == "Title 973")
    #expect(first.distance.decimetres == 103_999)
    #expect(first.movingTime == 6021)
    #expect(first.elevation == .zero)
    #expect(first.sport == .run)
    #expect(first.workoutType == nil)
  }
}

/// The recorded pages.
enum RealPages {
  static let names = ["all_club_activities-0", "all_club_activities-1", "club_activities-0"]

  static func bytes(_ name: String) throws -> [UInt8] {
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures"))
    return Array(try Data(contentsOf: url))
  }
}
