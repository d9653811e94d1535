// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore

/// A ride of the truth, with everything that its owner and the service do to it.
struct FeedRide: Hashable, Sendable {
  /// What the feed says of it from a moment on.
  struct Version: Hashable, Sendable {
    /// From when on.
    let from: Moment
    /// What the feed says.
    let activity: Activity
  }

  /// Who rode: a person, whom another one may share the name with.
  let person: Int
  /// When it started, as only the truth knows.
  let start: Moment
  /// When it came to the service.
  var uploaded: Moment
  /// What the feed says of it, the oldest first; never empty.
  var versions: [Version]
  /// When it is hidden; nobody can tell that from its being deleted.
  var hidden: Range<Moment>?
  /// When it is deleted.
  var deleted: Moment?
  /// How many rows behind it the service leaves out of their page.
  var rowsLeftOut = 0

  /// A ride that is uploaded and left alone.
  init(person: Int, _ activity: Activity, start: Moment, uploaded: Moment) {
    (self.person, self.start, self.uploaded) = (person, start, uploaded)
    versions = [Version(from: uploaded, activity: activity)]
  }

  /// Whether the feed shows it at a moment.
  func isVisible(at moment: Moment) -> Bool {
    moment >= uploaded && deleted.map { moment < $0 } != false && hidden?.contains(moment) != true
  }

  /// Whether the feed shows it from one moment to another without a break.
  func isVisible(from first: Moment, to last: Moment) -> Bool {
    isVisible(at: first) && deleted.map { last < $0 } != false
      && hidden.map { last < $0.lowerBound || first >= $0.upperBound } != false
  }

  /// The place of the version that counts at a moment.
  func version(at moment: Moment) -> Int { (versions.lastIndex { $0.from <= moment }) ?? 0 }

  /// What the feed says of it at a moment.
  func activity(at moment: Moment) -> Activity { versions[version(at: moment)].activity }

  /// What the feed's whole listing is sorted by, and cut off by.
  func key(_ order: ServiceShape.Order) -> Moment { order == .start ? start : uploaded }
}
