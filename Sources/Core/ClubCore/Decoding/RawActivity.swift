// SPDX-License-Identifier: Apache-2.0

/// An activity as it stands in the bytes of a feed: numbers read, texts by their places. All of it is within bounds.
struct RawActivity {
  var first = TextRange()
  var last = TextRange()
  /// The athlete's token; nil where the feed carries none.
  var token: TextRange?
  var title = TextRange()
  var sport = TextRange()
  /// Decimetres.
  var distance = 0
  /// Seconds.
  var movingTime = 0
  /// Seconds.
  var elapsedTime = 0
  /// Decimetres.
  var elevation = 0
  var workoutType: Int?
  /// Seconds since 1970-01-01T00:00:00Z.
  var start: Int?

  /// Who did it.
  func member(in bytes: Span<UInt8>) -> MemberIdentity {
    MemberIdentity(
      name: AthleteName(first: first.string(in: bytes), last: last.string(in: bytes)),
      token: token.flatMap { AthleteToken($0.string(in: bytes)) })
  }

  /// The activity.
  func activity(in bytes: Span<UInt8>) -> Activity {
    Activity(
      member: member(in: bytes), title: title.string(in: bytes), sport: Sport(sport.string(in: bytes)),
      distance: Length(checked: distance), movingTime: movingTime, elapsedTime: elapsedTime,
      elevation: Length(checked: elevation), workoutType: workoutType, start: start.map { Moment(seconds: $0) })
  }
}
