// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// A connection of a session, with the state of both ends.
public struct Socket {
  public var generation = Generation.none
  /// True if either end, or a close notification to the client, still needs the slot.
  var isUsed = false
  /// True if the client requested it, was not notified of its end, and did not drop it.
  public var isHeld = false
  public var isOpened = false
  public var isAtServer = false
  /// True if the server had it but no longer answers, not even by a reset.
  var isMute = false
  /// True if all frames are lost for good, without notice to either end.
  public var isCut = false
  /// True if frames wait for the end of a fault.
  public var isUpStalled = false
  public var isDownStalled = false
  var isSubscribed = false
  /// True if the client knows where the stream resumes, or need not know.
  public var isResumed = false
  /// True if the app has all messages that the stream had when it was resumed.
  var isCaughtUp = false
  /// The purpose for which the connection's own clock is set.
  var control = Control.none
  var closeNotification = CloseNotification.none
  /// The time of the last frame in either direction.
  var lastActivity: Int64 = 0
  /// The end of the stream when it was resumed.
  public var target = StreamPosition(epoch: 0, offset: 0)
  var up = FrameQueue<UpFrame>()
  var down = FrameQueue<LiveEvent>()

  public init() {}

  /// True if the connection itself lets frames through.
  public var isCarrying: Bool { !isCut && !isUpStalled && !isDownStalled }

  /// Returns true if it is open at both ends and the app has all messages that the stream had when it was resumed; the
  /// app has them up to `delivered`.
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
    /// The kernel's limit for opening a connection.
    case connectTimeout
    /// The client is notified of its end.
    case closeNotification
    /// A proxy checks whether it is idle.
    case idle
    /// The kernel's limit for unacknowledged packets.
    case sendTimeout
    /// The server drops a connection of which it could not know that it is dead.
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

/// The frames under way in one direction of a connection, in order.
struct FrameQueue<Frame: Sendable>: Sendable {
  /// `left` is the number of bytes of a long message that follow behind the part under way.
  private var frames: [(frame: Frame, sent: Int64, arrives: Int64, left: Int)] = []
  /// The arrival time of the last frame ever added.
  private var lastArrival: Int64 = 0

  var count: Int { frames.count }
  var isEmpty: Bool { frames.isEmpty }
  /// The arrival time of the first frame if nothing delays it; never without frames.
  var arrival: Int64 { frames.first?.arrives ?? .max }
  /// The time at which the first frame was sent; the queue must not be empty.
  var sent: Int64 { frames[0].sent }

  /// The number of long messages that have not left whole.
  private var long = 0

  /// The bytes of the first frame that follow behind the part under way.
  var left: Int { long == 0 ? 0 : frames.first?.left ?? 0 }

  mutating func append(_ frame: Frame, sent: Int64, arrives: Int64, left: Int = 0) {
    lastArrival = max(arrives, lastArrival)
    frames.append((frame, sent, lastArrival, left))
    if left > 0 { long &+= 1 }
  }

  /// The first frame; the queue must not be empty.
  var first: Frame { frames[0].frame }

  /// Puts the next part of the first frame, which has some left, on its way.
  mutating func carry(_ bytes: Int, sent: Int64, arrives: Int64) {
    frames[0].left -= bytes
    if frames[0].left == 0 { long &-= 1 }
    start(sent: sent, arrives: arrives)
  }

  /// Puts the first frame on its way, not before what was in front of it has arrived.
  mutating func start(sent: Int64, arrives: Int64) {
    lastArrival = max(arrives, lastArrival)
    (frames[0].sent, frames[0].arrives) = (sent, max(arrives, frames[0].arrives))
  }

  /// Removes the frames that have not left whole, as a reset does.
  mutating func removeUnsent() {
    if long > 0, let index = frames.firstIndex(where: { $0.left > 0 }) { frames.removeSubrange(index...) }
    long = 0
  }

  /// Removes the first frame; the queue must not be empty.
  mutating func removeFirst() -> Frame { frames.removeFirst().frame }

  mutating func removeAll() { self = FrameQueue() }
}

/// The next events of a session: the earliest first, ties in the order of the lanes.
struct Agenda {
  enum Lane: Int {
    case timer, faults, appSends, publishes, serverPings, credentials, staleTimer, latePong, woke

    /// True if the lane waits while the phone sleeps.
    var isOfPhone: Bool { self == .appSends || self == .credentials || self == .staleTimer }
  }

  /// The number of these lanes; they are followed by three for each connection: up, down and its own clock.
  static let lanes = 9

  private var moments = InlineArray<33, Int64>(repeating: .max)
  /// The end of the lanes in use.
  private var used = lanes

  var next: (position: Int, at: Int64) {
    // Mutating, so that reading does not copy.
    mutating get {
      var next = (position: 0, at: moments[0])
      for position in 1..<used where moments[position] < next.at { next = (position, moments[position]) }
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

  private mutating func set(_ position: Int, _ moment: Int64) {
    moments[Self.lanes &+ position] = moment
    used = max(used, Self.lanes &+ position &+ 1)
  }

  mutating func clear(_ socket: Int) {
    for part in 0..<3 { moments[Self.lanes &+ 3 &* socket &+ part] = .max }
    while used > Self.lanes, moments[used &- 1] == .max { used &-= 1 }
  }
}

/// A phone's clock, which may run fast or slow but never backwards, in integer nanoseconds.
struct SkewedClock {
  private var anchor: Int64 = 0
  private var reading: Int64 = 0
  private(set) var millionths: Int64 = 0

  /// The clock's reading at a time of the world, not before the last change of its speed.
  func reading(at world: Int64) -> Int64 {
    let passed = world &- anchor
    if millionths == 0 { return reading &+ passed }
    // In two parts, because a month times a million overflows; rounded down, also for a slow clock.
    let rest = passed % 1_000_000 &* millionths
    return reading &+ passed &+ passed / 1_000_000 &* millionths &+ (rest < 0 ? rest &- 999_999 : rest) / 1_000_000
  }

  /// The first time of the world at which the clock reads at least `wanted`.
  func world(at wanted: Int64) -> Int64 {
    let passed = wanted &- reading
    if passed <= 0 { return anchor }
    if millionths == 0 { return passed >= .max - anchor ? .max : anchor &+ passed }
    return skewedWorld(passed)
  }

  private func skewedWorld(_ passed: Int64) -> Int64 {
    let speed = 1_000_000 &+ millionths
    let (whole, rest) = passed.quotientAndRemainder(dividingBy: speed)
    // An almost stopped clock takes centuries to reach some readings.
    guard whole < Int64.max / 4_000_000 else { return .max }
    return anchor &+ whole &* 1_000_000 &+ (rest &* 1_000_000 &+ speed &- 1) / speed
  }

  mutating func set(millionths: Int64, at world: Int64) {
    reading = reading(at: world)
    anchor = world
    self.millionths = max(-999_999, millionths)
  }
}

/// The app's messages that a server has accepted, whether or not it still knows them, and their acknowledgements.
public struct TakenMessages: Sendable {
  private var taken: Set<UInt64> = []
  /// The highest number that the server remembers; a message up to it is a duplicate.
  public private(set) var through: UInt64 = 0
  /// The number of repeated messages accepted as new that should not have been repeated: they had been acknowledged to
  /// the app when the server forgot their numbers, or no message may be repeated.
  public private(set) var duplicatesAccepted: UInt64 = 0
  /// The highest number acknowledged to the app; `settledWhenForgotten` is its value when numbers were forgotten.
  private var settledThrough: UInt64 = 0
  private var settledWhenForgotten: UInt64 = 0

  public init() {}

  /// Accepts a message; returns whether it is a duplicate.
  @discardableResult
  public mutating func take(_ number: UInt64, mayComeAgain: Bool = true) -> Bool {
    guard number > through else { return true }
    through = number
    let isNew = taken.insert(number).inserted
    if !isNew, number <= settledWhenForgotten || !mayComeAgain { duplicatesAccepted += 1 }
    return false
  }

  /// Records that messages up to a number are acknowledged to the app. Returns how many of them the server lacks,
  /// without those in `dropped`.
  public mutating func settle(through number: UInt64, dropped: Set<UInt64>) -> UInt64 {
    var lost: UInt64 = 0
    while settledThrough < number {
      settledThrough += 1
      if !taken.contains(settledThrough), !dropped.contains(settledThrough) { lost += 1 }
    }
    return lost
  }

  /// Records that the server forgets the numbers.
  public mutating func forgetNumbers() { (through, settledWhenForgotten) = (0, settledThrough) }
}

struct ServerState {
  var messages = TakenMessages()
  var ping: UInt32 = 0
}

/// The state of the phone, and the events that wait for the end of its sleep.
struct PhoneState {
  /// The time at which the timer fires, by the world's clock, even while the phone sleeps.
  var timer = Int64.max
  /// A timer that fires although it was replaced.
  var staleTag = TimerTag(0)
  var credentialsSince: Int64 = 0
  /// Values as last reported to the client.
  var reportedReachable = true
  var reportedInFront = true
  var hasPendingNetworkChange = false
  /// The events that came due during the sleep.
  var pending: Set<Agenda.Lane> = []
}

/// The faults of the schedule that hold, and the next one.
public struct FaultCursor {
  public enum Boundary: Hashable, Sendable {
    /// The fault at that index of the schedule.
    case began(Int)
    case ended(Int)
  }

  private var next = 0
  /// The indices of the faults that hold, in the order in which they began.
  private var holding: [Int] = []
  /// The fault whose beginning or end is being processed.
  private var inHand: Int?

  public init() {}

  /// The time at which the next fault begins or ends; `Int64.max` if nothing is left.
  public func nextBoundary(of schedule: borrowing FaultSchedule) -> Int64 {
    let begins = next >= schedule.faults.count ? Int64.max : schedule.faults[next].at.nanoseconds
    return min(begins, nextEnd(of: schedule)?.at ?? .max)
  }

  private func nextEnd(of schedule: borrowing FaultSchedule) -> (at: Int64, position: Int)? {
    var found: (at: Int64, position: Int)?
    for position in holding {
      let end = schedule.faults[position].end.nanoseconds
      if end < found?.at ?? .max { found = (end, position) }
    }
    return found
  }

  /// Passes the boundary that is due; ends come before beginnings.
  public mutating func passBoundary(of schedule: borrowing FaultSchedule, at now: Int64) -> Boundary {
    if let (end, ending) = nextEnd(of: schedule), end <= now {
      holding.removeAll { $0 == ending }
      inHand = ending
      return .ended(ending)
    }
    let position = next
    next += 1
    inHand = position
    if !schedule.faults[position].fault.kind.isMoment { holding.append(position) }
    return .began(position)
  }

  /// Marks the last passed boundary as processed.
  public mutating func leaveBoundary() { inHand = nil }

  /// The cause of an outage that begins now: the fault that begins or ends now, else the last one that holds and can
  /// break a connection, else the last one that began if it ended within two minutes; nil without one.
  public func cause(in schedule: borrowing FaultSchedule, at now: Int64) -> Int? {
    if let inHand { return inHand }
    for position in holding.reversed() where schedule.faults[position].fault.breaks { return position }
    guard next > 0 else { return nil }
    return now &- schedule.faults[next - 1].end.nanoseconds <= 120_000_000_000 ? next - 1 : nil
  }
}
