// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import Randomness

/// An activity of the ground truth before any fault is applied.
struct Outing: Sendable {
  let person: Int
  let start: Moment
  let activity: Activity
}

/// A club's activities as rides of the feed, with their uploads and later changes.
struct FeedHistory {
  /// The rides, ascending by start.
  let rides: [FeedRide]
  /// Respellings of names, by person.
  let respellings: [Int: Respelling]

  struct Respelling: Sendable {
    let from: Moment
    /// Extra spaces after the first name.
    let spaces: Int
  }

  init(
    of outings: [Outing], faults: FaultMix, fetches: Fetches, generator: String, seed: UInt32
  ) throws(RandomnessError) {
    var chances = try Chances(named: generator, seed: seed)
    var respellings: [Int: Respelling] = [:]
    for person in 0...(outings.map(\.person).max() ?? 0) {
      let draw = chances.draw()
      guard let fault = draw.happening(faults[.spellings]) else { continue }
      let length = fetches.interval * fetches.count
      respellings[person] = Respelling(
        from: fetches.first.adding(seconds: Int(draw.uniform * Double(length))),
        spaces: fault.size < 1 ? 0 : Int(draw.exponential * fault.size) % (Int(fault.size) + 1))
    }
    var rides: [FeedRide] = []
    for outing in outings.sorted(by: { ($0.start, $0.person) < ($1.start, $1.person) }) {
      rides.append(Self.ride(outing, faults, fetches, &chances))
      let twin = chances.draw()
      let other = Outing(
        person: outing.person, start: outing.start.adding(seconds: Int((faults[.identicalRides]?.size ?? 0) * 3600)),
        activity: outing.activity)
      // Always drawn; see `Chances`.
      let second = Self.ride(other, faults, fetches, &chances)
      if twin.happening(faults[.identicalRides]) != nil { rides.append(second) }
    }
    rides.sort { ($0.start, $0.person, $0.uploaded) < ($1.start, $1.person, $1.uploaded) }
    self.rides = rides.map { ride in respellings[ride.person].map { Self.respelt(ride, from: $0.from) } ?? ride }
    self.respellings = respellings
  }

  private static func ride(
    _ outing: Outing, _ faults: FaultMix, _ fetches: Fetches, _ chances: inout Chances
  ) -> FeedRide {
    let (upload, late, shift, short) = (chances.draw(), chances.draw(), chances.draw(), chances.draw())
    // A device takes two minutes on average to upload.
    var uploaded = outing.start.adding(seconds: outing.activity.elapsedTime + Int(upload.exponential * 120) + 5)
    if let fault = late.happening(faults[.lateUploads]) {
      uploaded = uploaded.adding(seconds: late.seconds(hours: fault.size))
    }
    if let fault = shift.happening(faults[.shiftingPages]) {
      uploaded = fetches.next(after: uploaded).adding(milliseconds: Int(shift.uniform * fault.size * 1000))
    }
    var ride = FeedRide(person: outing.person, outing.activity, start: outing.start, uploaded: uploaded)
    let (rename, edit, deletion) = (chances.draw(), chances.draw(), chances.draw())
    var changes: [(at: Moment, make: (inout Activity) -> Void)] = []
    if let fault = rename.happening(faults[.renames]) {
      let number = Int(rename.uniform * 10_000)
      changes.append((uploaded.adding(seconds: rename.seconds(hours: fault.size)), { $0.title = "Title \(number)" }))
    }
    if let fault = edit.happening(faults[.edits]) {
      let factor = 0.9 + edit.uniform * 0.2
      changes.append(
        (
          uploaded.adding(seconds: edit.seconds(hours: fault.size)),
          { $0.distance = Length(decimetres: Int(Double($0.distance.decimetres) * factor)) ?? $0.distance }
        ))
    }
    for change in changes.sorted(by: { $0.at < $1.at }) {
      var activity = ride.activity(at: change.at)
      change.make(&activity)
      ride.versions.append(FeedRide.Version(from: change.at, activity: activity))
    }
    if let fault = deletion.happening(faults[.deletions]) {
      ride.deleted = uploaded.adding(seconds: 1 + deletion.seconds(hours: fault.size))
    }
    if let fault = short.happening(faults[.shortPages]) { ride.rowsLeftOut = short.count(to: fault.size) }
    ride.hidden = hidden(chances.draw(), faults[.privacy], uploaded)
    return ride
  }

  /// The time during which a ride is hidden; half of them from the upload on, the others from within two days after it.
  private static func hidden(_ draw: Chances.Draw, _ fault: FeedFault?, _ uploaded: Moment) -> Range<Moment>? {
    guard let fault = draw.happening(fault) else { return nil }
    let length = 1 + draw.seconds(hours: fault.size)
    let from = draw.uniform < 0.5 ? uploaded : uploaded.adding(seconds: Int((draw.uniform - 0.5) * 4 * 86_400))
    return from..<from.adding(seconds: length)
  }

  /// The ride with its member's name respelt from a moment on.
  private static func respelt(_ ride: FeedRide, from moment: Moment) -> FeedRide {
    func respelt(_ activity: Activity) -> Activity {
      let (name, token) = (activity.member.name, activity.member.token)
      var activity = activity
      let first = name.first == name.first.lowercased() ? name.first.uppercased() : name.first.lowercased()
      activity.member = MemberIdentity(name: AthleteName(first: first, last: name.last), token: token)
      return activity
    }
    var ride = ride
    let at = max(moment, ride.uploaded)
    let turning = FeedRide.Version(from: at, activity: respelt(ride.activity(at: at)))
    let later = ride.versions.filter { $0.from > at }.map {
      FeedRide.Version(from: $0.from, activity: respelt($0.activity))
    }
    ride.versions = ride.versions.filter { $0.from < at } + [turning] + later
    return ride
  }
}

/// A ride of the ground truth, with all changes by its owner and the service.
struct FeedRide: Sendable {
  struct Version: Sendable {
    let from: Moment
    let activity: Activity
  }

  /// The person's number; another person may have the same name.
  let person: Int
  /// The start, which the feed does not show.
  let start: Moment
  var uploaded: Moment
  /// The listings of the ride over time, oldest first; never empty.
  var versions: [Version]
  /// While a ride is hidden; the feed does not distinguish hidden from deleted rides.
  var hidden: Range<Moment>?
  var deleted: Moment?
  /// The number of following rows that the service leaves out of the page.
  var rowsLeftOut = 0

  init(person: Int, _ activity: Activity, start: Moment, uploaded: Moment) {
    (self.person, self.start, self.uploaded) = (person, start, uploaded)
    versions = [Version(from: uploaded, activity: activity)]
  }

  func isVisible(at moment: Moment) -> Bool {
    moment >= uploaded && deleted.map { moment < $0 } != false && hidden?.contains(moment) != true
  }

  /// Returns true if the feed shows the ride without interruption.
  func isVisible(from first: Moment, to last: Moment) -> Bool {
    isVisible(at: first) && deleted.map { last < $0 } != false
      && hidden.map { last < $0.lowerBound || first >= $0.upperBound } != false
  }

  func version(at moment: Moment) -> Int { (versions.lastIndex { $0.from <= moment }) ?? 0 }

  func activity(at moment: Moment) -> Activity { versions[version(at: moment)].activity }

  /// The time by which the feed sorts and cuts off its listing.
  func key(_ order: ServiceShape.Order) -> Moment { order == .start ? start : uploaded }
}

/// The times when fetches begin, by the service's clock.
struct Fetches: Sendable {
  let first: Moment
  /// The interval in seconds.
  let interval: Int
  let count: Int

  var moments: [Moment] { (0..<count).map { first.adding(seconds: $0 * interval) } }

  /// From the first fetch to one interval after the last.
  var span: Range<Moment> { first..<first.adding(seconds: count * interval) }

  /// The first fetch at or after a moment, extrapolated in both directions.
  func next(after moment: Moment) -> Moment {
    let (steps, rest) = (moment.milliseconds - first.milliseconds).quotientAndRemainder(dividingBy: interval * 1000)
    return first.adding(seconds: (rest > 0 ? steps + 1 : steps) * interval)
  }
}
