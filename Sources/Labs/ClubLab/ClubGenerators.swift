// SPDX-License-Identifier: GPL-3.0-or-later
internal import ClubCore
internal import PropertyTesting

struct Rides: Hashable, Sendable, CustomStringConvertible {
  let activities: [Activity]

  init(_ activities: [Activity]) {
    self.activities = activities
  }

  var description: String { activities.isEmpty ? "no rides" : activities.map(\.line).joined(separator: "; ") }

  /// A few members, some sharing a name; rides that are equal, long, or take no time.
  static func any(count: ClosedRange<Int> = 0...8) -> Gen<Rides> {
    Gen.arrays(of: activity(named: names), count: count).map(Rides.init)
  }

  /// Members with one spelling and no tokens.
  static func plain(count: ClosedRange<Int> = 0...8) -> Gen<Rides> {
    Gen.arrays(of: activity(named: plainNames), count: count).map(Rides.init)
  }

  /// One ride with quantities in simple proportions: a tenth more or less.
  static let round: Gen<Rides> = {
    let length = Gen<Length>.elements(of: [10, 9, 11, 0].compactMap { Length(decimetres: $0) })
    return zip(length, length).map { far, up in
      let ann = MemberIdentity(name: Spelling.asIs.name(of: 0))
      return Rides([Activity(member: ann, distance: far, movingTime: 1, elapsedTime: 1, elevation: up)])
    }
  }()

  static func activity(named names: Gen<MemberIdentity>) -> Gen<Activity> {
    zip(names, decimetres(upTo: Length.maxDecimetres), seconds, decimetres(upTo: 100_000)).map { name, far, time, up in
      Activity(member: name, distance: far, movingTime: time, elapsedTime: time, elevation: up)
    }
  }

  /// Few people and many spellings; some have a token.
  static let names: Gen<MemberIdentity> = zip(
    Gen<Int>.integers(in: 0...4), .elements(of: Spelling.allCases),
    .oneOf(weighted: [(4, .just(nil)), (1, .elements(of: ["7", "8"]))])
  ).map { person, spelling, token in
    MemberIdentity(name: spelling.name(of: person), token: token.flatMap { AthleteToken($0) })
  }

  static let plainNames = Gen<Int>.integers(in: 0...4).map { MemberIdentity(name: Spelling.asIs.name(of: $0)) }

  /// Short lengths, those of a day's ride, and the longest.
  private static func decimetres(upTo maximum: Int) -> Gen<Length> {
    Gen.oneOf(.integers(in: 0...9), .integers(in: 0...999_999), .integers(in: 0...maximum)).map { decimetres in
      guard let length = Length(decimetres: min(decimetres, maximum)) else { throw Discard.assumption }
      return length
    }
  }

  private static let seconds: Gen<Int> = .oneOf(
    .integers(in: 0...9), .integers(in: 0...20_000), .integers(in: 0...Activity.maxSeconds))
}

enum Spelling: CaseIterable {
  case asIs
  case lower
  case upper
  case spaced
  case decomposed

  func name(of person: Int) -> AthleteName {
    let people = [("Ann", "A."), ("Bob", "B."), ("Cleo", "C."), ("Mary Jo", "C."), ("Zo\u{EB}", "Z.")]
    let (first, last) = people[person % people.count]
    switch self {
    case .asIs: return AthleteName(first: first, last: last)
    case .lower: return AthleteName(first: first.lowercased(), last: last.lowercased())
    case .upper: return AthleteName(first: first.uppercased(), last: last)
    case .spaced: return AthleteName(first: "  \(first) ", last: "\(last) ")
    case .decomposed: return AthleteName(first: first == "Zo\u{EB}" ? "Zoe\u{308}" : first, last: last)
    }
  }
}

extension Activity {
  var line: String {
    let token = member.token.map { "#\($0.value)" } ?? ""
    let climb = elevation == .zero ? "" : ", up \(elevation.metres) m"
    return "\(member.name)\(token) \(distance.metres) m in \(movingTime) s\(climb)"
  }

  func with(distance: Length) -> Activity {
    var changed = self
    changed.distance = distance
    return changed
  }

  /// The activity with another token of its member; without a token if it is empty.
  func with(token: String) -> Activity {
    var changed = self
    changed.member = MemberIdentity(name: member.name, token: AthleteToken(token))
    return changed
  }
}

/// Pages of a feed and the order of merging their tallies.
indirect enum PageTree: Sendable, CustomStringConvertible {
  case page(Rides)
  case both(PageTree, PageTree)

  var rides: Rides {
    switch self {
    case .page(let rides): rides
    case .both(let left, let right): Rides(left.rides.activities + right.rides.activities)
    }
  }

  var description: String {
    switch self {
    case .page(let rides): "[\(rides)]"
    case .both(let left, let right): "(\(left) + \(right))"
    }
  }

  func folded<Sum>(_ sum: (Rides) -> Sum, _ merge: (Sum, Sum) -> Sum) -> Sum {
    switch self {
    case .page(let rides): sum(rides)
    case .both(let left, let right): merge(left.folded(sum, merge), right.folded(sum, merge))
    }
  }

  static func any() -> Gen<PageTree> {
    Gen.recursive(Rides.any(count: 0...3).map(PageTree.page), depth: 3) { smaller in
      zip(smaller, smaller).map(PageTree.both)
    }
  }
}

/// A club's rides between fetches of its feed. A fetch shows everything, newest first, without dates.
struct LedgerStory: Sendable, CustomStringConvertible {
  struct Step: Sendable {
    /// Minutes since the previous fetch.
    let minutes: Int
    /// Uploaded since the previous fetch, oldest first.
    let rides: Rides
    /// The index of the feed's activity that was renamed since the previous fetch.
    let renamed: Int?
  }

  /// Rides uploaded before the first fetch.
  let backlog: Rides
  /// The time of the first fetch, in minutes since the start of a Monday.
  let begin: Int
  let steps: [Step]

  var description: String {
    "\(Self.clock(begin)): \(backlog)"
      + steps.map { step in
        "; \(step.minutes) min later: +[\(step.rides)]" + (step.renamed.map { ", #\($0) renamed" } ?? "")
      }.joined()
  }

  private static func clock(_ minutes: Int) -> String {
    let day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][minutes / 1440 % 7]
    return "\(day) \(minutes / 60 % 24):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
  }

  struct Fetch: Sendable {
    let at: Moment
    /// The time of the previous fetch.
    let previous: Moment?
    /// The listing, newest first.
    let listing: [Activity]
    var whole: FeedListing { FeedListing(activities: listing, isWhole: true) }
    let new: [Activity]
  }

  var fetches: [Fetch] {
    // The Monday with which 2026-W47 begins.
    var now = Moment(seconds: Week(containingDay: 20_774).monday * 86_400 + begin * 60)
    var listing = Array(backlog.activities.reversed())
    var fetches = [Fetch(at: now, previous: nil, listing: listing, new: listing)]
    for (number, step) in steps.enumerated() {
      let previous = now
      now = now.adding(seconds: step.minutes * 60)
      if let renamed = step.renamed, !listing.isEmpty { listing[renamed % listing.count].title = "title \(number)" }
      listing = step.rides.activities.reversed() + listing
      fetches.append(Fetch(at: now, previous: previous, listing: listing, new: step.rides.activities))
    }
    return fetches
  }

  /// Stories of a few minutes to a few months; the simplest is one fetch of nothing.
  static func any() -> Gen<LedgerStory> {
    let minutes = Gen<Int>.oneOf(.integers(in: 1...60), .integers(in: 1...1440), .integers(in: 1...30_000))
    let step = zip(minutes, rides, Gen<Int?>.optionals(of: .integers(in: 0...5))).map(Step.init)
    return zip(rides, Gen<Int>.integers(in: 0...10_079), Gen<[Step]>.arrays(of: step, count: 0...6))
      .map(LedgerStory.init)
  }

  /// A few rides, some of them equal.
  private static let rides: Gen<Rides> = {
    let ride = zip(Rides.plainNames, Gen<Int>.integers(in: 0...3), Gen<Int>.integers(in: 0...240)).map {
      member, kilometres, minutes in
      Activity(
        member: member, distance: Length(decimetres: kilometres * 10_000) ?? .zero, movingTime: minutes * 60,
        elapsedTime: minutes * 60)
    }
    return Gen.arrays(of: ride, count: 0...3).map(Rides.init)
  }()
}

/// Requests to make, each with its latency and outcome.
struct RequestPlan: Sendable, CustomStringConvertible {
  struct Request: Sendable {
    /// Seconds after the previous request, at least.
    let gap: Int
    /// The delay of the arrival by the service's clock and the network, in milliseconds.
    let skew: Int
    /// The latency of the answer, in seconds.
    let latency: Int
    let answer: Answer
  }

  enum Answer: CaseIterable {
    /// An answer with the limits and the usage in its headers.
    case counted
    case plain
    case lost
    case failed
  }

  let limits: RequestBudget.Limits
  /// The time of the first request, in seconds since the start of a day.
  let begin: Int
  let requests: [Request]

  var description: String {
    let first = "\(begin / 3600):\(begin / 60 % 60):\(begin % 60)"
    let list = requests.map { "+\($0.gap) s" + ($0.skew == 0 ? "" : " (\($0.skew) ms off)") }.joined(separator: ", ")
    return "\(limits.perWindow) a quarter, \(limits.perDay) a day, from \(first): \(list)"
  }

  /// The skew that the budget promises to allow for, in milliseconds.
  static let margin = 5000

  /// The times when each request reaches the service, by its clock, as a budget permits them.
  func arrivals(by fresh: any BudgetUnderTest) throws -> [Moment] {
    var budget = fresh
    var now = Moment(seconds: 1_763_337_600 + begin)
    var (arrivals, pending) = ([Moment](), [(at: Moment, sent: Moment, reply: FeedReply)]())
    for request in requests {
      now = now.adding(seconds: request.gap)
      while true {
        for reply in pending where reply.at <= now { budget.receive(reply.reply, at: reply.at, sent: reply.sent) }
        pending.removeAll { $0.at <= now }
        guard let later = budget.wait(at: now) else { break }
        try require(later > now, "it has to wait until \(later.milliseconds), and it is \(now.milliseconds)")
        try require(later < now.adding(seconds: 3 * 86_400), "it has to wait for more than three days")
        now = later
      }
      budget.send(at: now)
      let arrival = now.adding(milliseconds: request.skew)
      arrivals.append(arrival)
      let reply = reply(to: request, at: arrival, after: arrivals)
      pending.append((now.adding(seconds: request.latency), now, reply))
      pending.sort { $0.at < $1.at }
    }
    return arrivals
  }

  private func reply(to request: Request, at arrival: Moment, after arrivals: [Moment]) -> FeedReply {
    let (window, day) = (Self.use(of: 900, at: arrival, arrivals), Self.use(of: 86_400, at: arrival, arrivals))
    switch request.answer {
    case .lost: return .timedOut
    case .failed: return .response(FeedResponse(status: 502))
    case .plain: return .response(FeedResponse(status: window > limits.perWindow ? 429 : 200))
    case .counted:
      let head = [
        FeedResponse.Header("x-ratelimit-limit", "\(limits.perWindow),\(limits.perDay)"),
        FeedResponse.Header("X-RateLimit-Usage", "\(window),\(day)"),
      ]
      return .response(FeedResponse(status: window > limits.perWindow ? 429 : 200, headers: head))
    }
  }

  static func use(of seconds: Int, at moment: Moment, _ arrivals: [Moment]) -> Int {
    arrivals.count { $0.seconds / seconds == moment.seconds / seconds }
  }

  /// Small limits, quick and slow requests, some near the ends of quarters of an hour and of days.
  static func any() -> Gen<RequestPlan> {
    let gap = Gen<Int>.oneOf(.just(0), .integers(in: 0...10), .integers(in: 0...1000), .integers(in: 0...40_000))
    let skew = Gen<Int>.oneOf(.just(0), .integers(in: -margin...margin))
    let request = zip(gap, skew, Gen<Int>.integers(in: 0...60), Gen<Answer>.cases()).map(Request.init)
    let limits = zip(Gen<Int>.integers(in: 1...3), Gen<Int>.integers(in: 1...6)).map {
      RequestBudget.Limits(perWindow: $0, perDay: $1)
    }
    let begin = Gen<Int>.oneOf(.integers(in: 0...86_399), .integers(in: 0...959).map { 90 * $0 })
    return zip(limits, begin, Gen<[Request]>.arrays(of: request, count: 0...16)).map(RequestPlan.init)
  }
}

/// Bytes of a feed, intact or damaged.
struct SentPage: Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  var description: String { String(decoding: bytes, as: UTF8.self).debugDescription }

  /// The number of lines; the last one counts without a line end, too.
  var lines: Int { 1 + bytes.count { $0 == 0x0A } }

  private static let recorded: [[UInt8]] = {
    let activities = [
      #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"chrism","lastname":"L."},"name":"Title 973","#
        + #""distance":10399.9,"moving_time":6021,"elapsed_time":6021,"total_elevation_gain":0,"type":"Run","#
        + #""sport_type":"Run","workout_type":null}"#,
      #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"Robinw ","lastname":"K."},"name":"Ride 🏃♂","#
        + #""distance":1678.4,"moving_time":600,"elapsed_time":606,"total_elevation_gain":6.8,"type":"Ride","#
        + #""sport_type":"GravelRide","workout_type":0}"#,
      #"{"resource_state":2,"athlete":{"resource_state":2,"firstname":"Zo\u00eb","lastname":"S."},"name":"\"A\"","#
        + #""distance":4311.0,"moving_time":1504,"elapsed_time":181983,"total_elevation_gain":27.0,"type":"Run","#
        + #""sport_type":"TrailRun","workout_type":null}"#,
    ]
    return [activities[0], activities.joined(separator: "\n"), "[\(activities.joined(separator: ",\n"))]"]
      .map { Array($0.utf8) }
  }()

  /// Recorded bytes with up to four changes; an empty page gives the smallest counterexamples.
  static func mutated() -> Gen<SentPage> {
    let page = Gen<[UInt8]>.oneOf(weighted: [(1, .just(Array("[]".utf8))), (9, .elements(of: recorded))])
    return Gen.damaged(page, splinters: ["\"distance\":1,"]).map(SentPage.init)
  }
}

struct SentActivities: Sendable, CustomStringConvertible {
  let activities: [Activity]

  var description: String {
    activities.map { "\($0.line), \($0.sport), \($0.title.debugDescription)" }.joined(separator: "; ")
  }

  static func any() -> Gen<SentActivities> {
    let word = Alphabet.latin + .scripts + .emoji + .rightToLeft
    let name = zip(Gen<String>.strings(of: word, count: 0...4), .strings(of: word, count: 0...3)).map {
      AthleteName(first: "A\($0)", last: $1)
    }
    let details = zip(
      Gen<String>.strings(of: .mixed, count: 0...6), .elements(of: Sport.cycling + Sport.running),
      .optionals(of: .integers(in: 0...999_999)), .optionals(of: .integers(in: 0...4_000_000_000)))
    let activity = zip(Rides.activity(named: Rides.names), .optionals(of: name), details).map { ride, name, details in
      Activity(
        member: name.map { MemberIdentity(name: $0, token: ride.member.token) } ?? ride.member, title: details.0,
        sport: details.1, distance: ride.distance, movingTime: ride.movingTime, elapsedTime: ride.elapsedTime,
        elevation: ride.elevation, workoutType: details.2, start: details.3.map { Moment(seconds: $0) })
    }
    return Gen.arrays(of: activity, count: 0...4).map(SentActivities.init)
  }
}
