// SPDX-License-Identifier: Apache-2.0
import ClubCore
import Testing

@Suite("Activities back to the feed's shape")
struct DecodingRoundTripTests {
  @Test("a recorded activity is spelt as it was recorded")
  func recorded() throws {
    let page = try RealPages.bytes("all_club_activities-0")
    let activities = try FeedDecoder(source: "page").activities(in: page)
    let first =
      #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"chrism","lastname":"L."},"#
      + #""name":"Title 973","distance":10399.9,"moving_time":6021,"elapsed_time":6021,"total_elevation_gain":0,"#
      + #""type":"Run","sport_type":"Run","workout_type":null}"#
    #expect(String(decoding: try #require(activities.first).json, as: UTF8.self) == first)
  }

  @Test("all recorded pages survive going back and forth", arguments: RealPages.names)
  func pages(name: String) throws {
    let activities = try FeedDecoder(source: name).activities(in: RealPages.bytes(name))
    let page = Activity.page(activities)
    #expect(try FeedDecoder(source: name).activities(in: page) == activities)
    #expect(Activity.page(try FeedDecoder(source: name).activities(in: page)) == page)
  }

  @Test(
    "odd activities survive, too",
    arguments: [(nil, nil), ("17", 0), ("017", 3), ("a\"b\\", 1), ("99999999999999999999", nil)] as [(String?, Int?)])
  func odd(token: String?, workoutType: Int?) throws {
    let activity = Activity(
      member: MemberIdentity(name: AthleteName(first: "José", last: ""), token: token.flatMap { AthleteToken($0) }),
      title: "\u{1} \"\\/ \u{1F3C3}\n\u{7F}", sport: Sport("EMountainBikeRide"),
      distance: try #require(Length(decimetres: Length.mostDecimetres)), movingTime: 0,
      elapsedTime: Activity.mostSeconds, elevation: try #require(Length(decimetres: 1)), workoutType: workoutType,
      start: Moment(seconds: -1))
    let back = try #require(try FeedDecoder(source: "page").activities(in: activity.json).first)
    #expect(back == activity)
    #expect(back.member.name.description == "José")
  }
}
