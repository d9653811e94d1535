// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// One connection of a session, at both ends.
public struct Socket {
  public var generation = Generation.none
  /// Whether either end, or a close notification to the client, still needs the place.
  var isUsed = false
  /// The client asked for it, was not notified that it is gone, and did not drop it.
  public var isHeld = false
  public var isOpened = false
  public var isAtServer = false
  /// The server had it, and answers no longer, not even by a reset.
  var isMute = false
  /// Everything sent is lost for good, and neither end learns of it.
  public var isCut = false
  /// Frames wait for a fault to end before they go on.
  public var isUpStalled = false
  public var isDownStalled = false
  var isSubscribed = false
  /// The client knows where the stream goes on, or needs not.
  public var isResumed = false
  /// The app has all that the stream had when it was resumed.
  var isCaughtUp = false
  /// The purpose for which the connection's own clock is set.
  var control = Control.none
  var closeNotification = CloseNotification.none
  /// When anything last went over it.
  var lastActivity: Int64 = 0
  /// Where the stream was when it was resumed.
  public var target = StreamPosition(epoch: 0, offset: 0)
  var up = FrameQueue<UpFrame>()
  var down = FrameQueue<LiveEvent>()

  public init() {}

  /// Whether what is sent on it gets through, as far as the connection itself is concerned.
  public var isCarrying: Bool { !isCut && !isUpStalled && !isDownStalled }

  /// Whether it is open at both ends and the app has all that the stream had when it was resumed; the app has it up to
  /// `delivered`.
  public mutating func isCurrent(delivered: StreamPosition?) -> Bool {
    guard isHeld, isOpened, isAtServer else { return false }
    if !isCaughtUp, isResumed {
      guard let delivered else { return false }
      isCaughtUp = delivered.epoch == target.epoch && delivered.offset >= target.offset
    }
    return isCaughtUp
  }

  enum Control: UInt8 {
    case none
    /// The kernel's own limit for opening.
    case connectTimeout
    /// The client is notified how it ended.
    case closeNotification
    /// A proxy that cuts idle connections looks at it.
    case idle
    /// The kernel's limit for unacknowledged packets.
    case sendTimeout
    /// The server drops what it could not know to be dead.
    case serverTimeout
  }

  enum CloseNotification: Hashable {
    case none
    case failed(ConnectFailure)
    case closed(Closure)
  }
}

struct UpFrame: Sendable {
  enum Kind: UInt8 { case hello, ping, pong, resume, resumeFromNow, message, close, reset }

  var kind: Kind
  var epoch: UInt32 = 0
  var number: UInt64 = 0
}

/// The frames on their way in one direction of a connection. None overtakes another.
struct FrameQueue<Frame: Sendable>: Sendable {
  private var frames: [(frame: Frame, sent: Int64, arrives: Int64)] = []
  /// When the last frame that was ever put in arrives.
  private var lastArrival: Int64 = 0

  var count: Int { frames.count }
  var isEmpty: Bool { frames.isEmpty }
  /// When the first frame arrives, if nothing comes between; never where there is none.
  var arrival: Int64 { frames.first?.arrives ?? .max }
  /// When the first frame was sent; the queue must not be empty.
  var sent: Int64 { frames[0].sent }

  mutating func append(_ frame: Frame, sent: Int64, arrives: Int64) {
    lastArrival = max(arrives, lastArrival)
    frames.append((frame, sent, lastArrival))
  }

  /// The queue must not be empty.
  mutating func removeFirst() -> Frame { frames.removeFirst().frame }

  mutating func removeAll() { self = FrameQueue() }
}

/// The next event of a session: the soonest first, and of those due at one moment the first in the order of the lanes.
struct Agenda {
  enum Lane: Int {
    case timer, faults, appSends, publishes, serverPings, credentials, staleTimer, latePong, woke

    /// Whether it waits while the phone sleeps.
    var isOfPhone: Bool { self == .appSends || self == .credentials || self == .staleTimer }
  }

  /// Behind these, of each connection: the way up, the way down and its own clock.
  static let lanes = 9

  private var moments = InlineArray<33, Int64>(repeating: .max)
  /// Nothing is set behind these.
  private var used = lanes

  var next: (place: Int, at: Int64) {
    // Mutating, so that nothing is copied to be looked at.
    mutating get {
      var next = (place: 0, at: moments[0])
      for place in 1..<used where moments[place] < next.at { next = (place, moments[place]) }
      return next
    }
  }

  subscript(lane: Lane) -> Int64 {
    get { moments[lane.rawValue] }
    set { moments[lane.rawValue] = newValue }
  }

  subscript(up socket: Int) -> Int64 {
    get { moments[Self.lanes &+ 3 &* socket] }
    set { set(3 &* socket, newValue) }
  }

  subscript(down socket: Int) -> Int64 {
    get { moments[Self.lanes &+ 3 &* socket &+ 1] }
    set { set(3 &* socket &+ 1, newValue) }
  }

  subscript(clock socket: Int) -> Int64 {
    get { moments[Self.lanes &+ 3 &* socket &+ 2] }
    set { set(3 &* socket &+ 2, newValue) }
  }

  private mutating func set(_ place: Int, _ moment: Int64) {
    moments[Self.lanes &+ place] = moment
    used = max(used, Self.lanes &+ place &+ 1)
  }

  mutating func clear(_ socket: Int) {
    for part in 0..<3 { moments[Self.lanes &+ 3 &* socket &+ part] = .max }
    while used > Self.lanes, moments[used &- 1] == .max { used &-= 1 }
  }
}

/// A phone's clock, which may run fast or slow, and never backwards. Whole nanoseconds.
struct SkewedClock {
  private var anchor: Int64 = 0
  private var reading: Int64 = 0
  private(set) var millionths: Int64 = 0

  /// The clock's reading at a moment of the world, not before the last change of its speed.
  func reading(at world: Int64) -> Int64 {
    let passed = world &- anchor
    if millionths == 0 { return reading &+ passed }
    // In two parts, because a month times a million does not fit; cut downwards, also for a slow clock.
    let rest = passed % 1_000_000 &* millionths
    return reading &+ passed &+ passed / 1_000_000 &* millionths &+ (rest < 0 ? rest &- 999_999 : rest) / 1_000_000
  }

  /// The first moment of the world at which the clock says no less than that.
  func world(at wanted: Int64) -> Int64 {
    let passed = wanted &- reading
    if passed <= 0 { return anchor }
    if millionths == 0 { return passed >= .max - anchor ? .max : anchor &+ passed }
    return skewedWorld(passed)
  }

  private func skewedWorld(_ passed: Int64) -> Int64 {
    let speed = 1_000_000 &+ millionths
    let (whole, rest) = passed.quotientAndRemainder(dividingBy: speed)
    // A clock that all but stands reaches some readings in centuries.
    guard whole < Int64.max / 4_000_000 else { return .max }
    return anchor &+ whole &* 1_000_000 &+ (rest &* 1_000_000 &+ speed &- 1) / speed
  }

  mutating func set(millionths: Int64, at world: Int64) {
    reading = reading(at: world)
    anchor = world
    self.millionths = max(-999_999, millionths)
  }
}

/// The app's messages that a server has taken, whether or not it still knows, and what the app was told of them.
public struct TakenMessages: Sendable {
  private var taken: Set<UInt64> = []
  /// The highest number that the server knows of: what is not above it is a duplicate.
  public private(set) var through: UInt64 = 0
  /// How many were taken again as new that should not have come again: they had been acknowledged to the app when the
  /// server forgot their numbers, or none may come again.
  public private(set) var takenUnduly: UInt64 = 0
  /// Up to which number they are acknowledged to the app, and had been when the server last forgot their numbers.
  private var settledThrough: UInt64 = 0
  private var settledWhenForgotten: UInt64 = 0

  public init() {}

  /// Takes a message, and returns whether it is a duplicate.
  @discardableResult
  public mutating func take(_ number: UInt64, mayComeAgain: Bool = true) -> Bool {
    guard number > through else { return true }
    through = number
    let isNew = taken.insert(number).inserted
    if !isNew, number <= settledWhenForgotten || !mayComeAgain { takenUnduly += 1 }
    return false
  }

  /// Messages up to a number are acknowledged to the app. Returns how many of them the server does not have, `dropped`
  /// left out.
  public mutating func settle(through number: UInt64, dropped: Set<UInt64>) -> UInt64 {
    var lost: UInt64 = 0
    while settledThrough < number {
      settledThrough += 1
      if !taken.contains(settledThrough), !dropped.contains(settledThrough) { lost += 1 }
    }
    return lost
  }

  /// The server forgets the numbers.
  public mutating func forgetNumbers() { (through, settledWhenForgotten) = (0, settledThrough) }
}

struct ServerState {
  var messages = TakenMessages()
  var ping: UInt32 = 0
}

/// The knowledge of the phone, and the events that wait in it for the end of a sleep.
struct PhoneState {
  /// When the timer fires, by the world's clock, even while the phone sleeps.
  var timer = Int64.max
  /// The timer that fires although it was replaced.
  var staleTag = TimerTag(0)
  var credentialsSince: Int64 = 0
  /// As last reported to the client.
  var reportedReachable = true
  var reportedInFront = true
  var hasPendingNetworkChange = false
  /// The events that were due while it slept.
  var pending: Set<Agenda.Lane> = []
}

/// Which faults of the schedule hold, and which is next.
public struct FaultCursor {
  public enum Boundary: Hashable, Sendable {
    /// The fault at that place of the schedule.
    case began(Int)
    case ended(Int)
  }

  private var next = 0
  /// The places of those that hold, the one that began last behind the others.
  private var holding: [Int] = []
  /// The one whose beginning or end is being played.
  private var inHand: Int?

  public init() {}

  /// When the next fault begins, or the next of those that hold ends; `Int64.max` when nothing is left.
  public func nextBoundary(of schedule: borrowing FaultSchedule) -> Int64 {
    let begins = next >= schedule.faults.count ? Int64.max : schedule.faults[next].at.nanoseconds
    return min(begins, nextEnd(of: schedule)?.at ?? .max)
  }

  private func nextEnd(of schedule: borrowing FaultSchedule) -> (at: Int64, place: Int)? {
    var found: (at: Int64, place: Int)?
    for place in holding {
      let end = schedule.faults[place].end.nanoseconds
      if end < found?.at ?? .max { found = (end, place) }
    }
    return found
  }

  /// Passes the boundary that is due: what ends does so before anything begins.
  public mutating func passBoundary(of schedule: borrowing FaultSchedule, at now: Int64) -> Boundary {
    if let (end, ending) = nextEnd(of: schedule), end <= now {
      holding.removeAll { $0 == ending }
      inHand = ending
      return .ended(ending)
    }
    let place = next
    next += 1
    inHand = place
    if !schedule.faults[place].fault.kind.isMoment { holding.append(place) }
    return .began(place)
  }

  /// All that followed from the boundary that was passed last is done.
  public mutating func leaveBoundary() { inHand = nil }

  /// Which fault an outage that begins now is due to: the one that begins or ends now, or else the last of those that
  /// hold and can break a connection, or else the last that began, within two minutes; nil for none.
  public func cause(in schedule: borrowing FaultSchedule, at now: Int64) -> Int? {
    if let inHand { return inHand }
    for place in holding.reversed() where schedule.faults[place].fault.breaks { return place }
    guard next > 0 else { return nil }
    return now &- schedule.faults[next - 1].end.nanoseconds <= 120_000_000_000 ? next - 1 : nil
  }
}
