// SPDX-License-Identifier: GPL-3.0-or-later
public import LiveCore

/// A disturbance of a network, a server or a phone: a kind of fault with the values of its parameters.
///
/// A fault is either momentary (`Kind.isMoment`) or holds for the time of its `TimedFault`. A later fault of the same
/// kind replaces an earlier one that still holds (`FaultSchedule`).
public struct Fault: Hashable, Sendable {
  /// The kinds in the order of reports. `declaration` has all other facts about a kind; `Session` implements the effect
  /// of a momentary fault on connections, and of a lasting fault on server and phone.
  public enum Kind: UInt8, Hashable, Codable, Sendable, CaseIterable {
    // Faults of the open connection, at one moment.

    /// As when a NAT forgets it: all bytes of both sides are lost, without FIN or reset. New connections work.
    case halfOpen
    case reset
    /// From its close frame on, the server neither reads nor sends; the client learns of it `delay` later.
    case close
    case garbage
    /// The frame's bytes take the time that the bandwidth allows.
    case enormousFrame

    // Faults of the network, while they last.

    case blackHole
    case partition
    /// Each way is slower by `added` and by up to `jitter` more.
    case latency
    /// Bytes per second, each way.
    case bandwidth
    case loss
    /// The way is good or bad; after each packet it changes with `enter` from good to bad and with `leave` back
    /// (Gilbert, 1960; Elliott, 1963). `good` and `bad` are the portions lost in each state.
    case burstLoss
    /// Idle connections are cut, by a reset at both ends or silently.
    case idleCut

    // Faults of attempts to connect, while they last; open connections are not affected.

    case nameNotFound
    case captivePortal
    case insecure
    case refused
    case refusal
    /// The answer is 307. `secure` and `plain` lead to an address that also answers so, while the fault lasts.
    case redirect

    // Faults of the server, while they last.

    /// The server is down while the fault lasts. With its history lost it begins a new epoch of the stream; with its
    /// numbers lost it accepts repeated messages again. A server that holds both in memory loses both.
    case restart
    /// The answer is 503, optionally with `Retry-After`.
    case shedding
    /// With `resumes` the server first answers the request to resume the stream; else it reads nothing.
    case acceptThenClose
    case latePongs
    case noPongs

    // Faults of the phone, while they last; a change of network is momentary.

    /// No timer fires and no packet is read until the phone wakes.
    case sleep
    /// Open connections are dead, and the phone reports a change of network.
    case networkChange
    case offline
    case background
    /// Negative values are slow.
    case clockSkew
    /// Credentials held when it begins are answered by 401. New ones either work or are refused.
    case expiredCredentials

    // Faults of real sockets alone, while they last; the simulation has frames but no bytes, so it cannot play them.

    /// Each way, a connection's bytes pass in slices of a size, or of one drawn about it, each some time after the one
    /// before.
    case slicer
    /// The other side learns late of the end of a connection.
    case slowClose
    /// No byte passes, and some time later the connection is closed. Bytes are held until the fault ends, or are lost;
    /// a connection that lost some is closed when the fault ends.
    case timeout
    /// A connection is closed after a number of bytes since it was opened, or since the fault began.
    case limitData
    /// Each byte has one of its bits changed with a probability.
    case corruption
    /// Connections are reset at both ends if more than a limit passes within a time.
    case busyCut

    // Faults of real sockets that affect attempts to connect.

    case slowAccept
    /// After a number of bytes of the server's answer nothing more comes.
    case handshakeStall
    case wrongAcceptKey
    /// Bytes that are not a frame come with the 101.
    case earlyGarbage

    // Last, since earlier results name the others by their order.

    /// Each connection ends a time after it was opened, whatever it carries, or after its next bytes, which are lost.
    case cut
  }

  public let kind: Kind
  /// The values in the order of `Kind.parameters`, in the units of `FaultParameter.Unit`.
  public private(set) var values: FaultValues

  public init(_ kind: Kind, values: FaultValues = .zero) { (self.kind, self.values) = (kind, values) }

  /// Creates a fault with the values of its first parameters, and 0 for the others.
  init(_ kind: Kind, _ values: Int64...) {
    self.init(kind)
    for (index, value) in values.enumerated() { self.values[index] = value }
  }

  public subscript(index: Int) -> Int64 { values[index] }

  public func time(_ index: Int) -> Interval { Interval(nanoseconds: values[index]) }

  func optional(_ index: Int) -> Int64? { values[index] == FaultParameter.none ? nil : values[index] }

  public func optionalTime(_ index: Int) -> Interval? { optional(index).map { Interval(nanoseconds: $0) } }

  public func share(_ index: Int) -> Double { Double(values[index]) / 1e6 }

  func isAll(_ index: Int) -> Bool { values[index] == FaultParameter.whole }

  public func isSet(_ index: Int) -> Bool { values[index] > 0 }

  public var closeCode: CloseCode { CloseCode(UInt16(clamping: values[0])) }

  public var departure: Departure { Departure(rawValue: UInt8(clamping: values[0])) ?? .graceful }

  /// From the phone to the server, or from the server to the phone.
  public enum Direction: UInt8, Hashable, Sendable, CaseIterable { case up, down }

  public enum Departure: UInt8, Hashable, Sendable, CaseIterable {
    /// The server closes every connection with 1012, then refuses attempts until it is back.
    case graceful
    /// The server's process is killed: every connection is reset, attempts are refused.
    case killed
    /// The server's machine is gone: no client is notified, attempts are not answered.
    case vanished
  }
}

/// The values of a fault's parameters, in order. Not a SIMD vector, since unoptimised asynchronous code does not keep
/// its alignment of 32 bytes (Swift 6.3) and reads wrong values.
public struct FaultValues: Hashable, Sendable {
  private var numbers: InlineArray<4, Int64>

  public init(repeating number: Int64) { numbers = InlineArray(repeating: number) }

  public static let zero = FaultValues(repeating: 0)

  /// The value at a place from 0 to 3.
  public subscript(index: Int) -> Int64 {
    get { numbers[index] }
    set { numbers[index] = newValue }
  }

  public static func == (one: Self, other: Self) -> Bool { (0..<4).allSatisfy { one[$0] == other[$0] } }

  public func hash(into hasher: inout Hasher) { for index in 0..<4 { hasher.combine(self[index]) } }
}

extension Fault.Kind {
  /// The facts about a kind. The text of a schedule and its parser, the guide, the keys and values of a profile's
  /// faults, their checks, and the conditions in a session while the fault holds are derived from it.
  public struct Declaration: Sendable {
    let name: String
    let meaning: String
    /// The parameters, at most four.
    let parameters: [FaultParameter]
    private(set) var isMoment = false
    /// True if it can break an open connection, or make it useless while it holds.
    let breaks: Bool
    /// True if no attempt to connect can succeed while it holds.
    let blocks: @Sendable (Fault) -> Bool
    /// The contradiction between values that are each in range; nil without one.
    let check: @Sendable (Fault) -> Contradiction?
    /// True if only real sockets support it; simulations, profiles and storms refuse it.
    public private(set) var isOfSockets = false
    /// True if it affects the phone rather than the network or the server.
    public private(set) var isOfPhone = false
    /// True if on real sockets it may be limited to one way: `way=up`.
    private(set) var hasWay = false
    /// True if on real sockets it may end after a number of attempts: `count=2`.
    private(set) var hasCount = false
    /// True if on real sockets it may be limited to a share of the connections: `share=20%`. A parameter of that name
    /// has its own meaning.
    var hasShare: Bool { !parameters.contains { $0.name == "share" } }
    /// Sets the conditions; the fault is nil when it ends.
    let set: @Sendable (inout Conditions, Fault?) -> Void

    typealias Contradiction = (parameter: String, found: String, expected: String)

    static let always: @Sendable (Fault) -> Bool = { _ in true }

    init(
      _ name: String, _ meaning: String, _ parameters: [FaultParameter] = [], breaks: Bool = false,
      blocks: @escaping @Sendable (Fault) -> Bool = { _ in false },
      check: @escaping @Sendable (Fault) -> Contradiction? = { _ in nil },
      set: @escaping @Sendable (inout Conditions, Fault?) -> Void
    ) {
      (self.name, self.meaning, self.parameters, self.breaks) = (name, meaning, parameters, breaks)
      (self.blocks, self.check, self.set) = (blocks, check, set)
    }

    fileprivate var momentary: Declaration { with { $0.isMoment = true } }
    fileprivate var ofSockets: Declaration { with { $0.isOfSockets = true } }
    fileprivate var ofPhone: Declaration { with { $0.isOfPhone = true } }
    fileprivate var eitherWay: Declaration { with { $0.hasWay = true } }
    fileprivate var ofAttempts: Declaration { with { $0.hasCount = true } }

    private func with(_ change: (inout Declaration) -> Void) -> Declaration {
      var changed = self
      change(&changed)
      return changed
    }
  }

  private static let declarations = allCases.map(\.declared)

  /// The kinds that a session in virtual time can play.
  public static let simulated = allCases.filter { !$0.declaration.isOfSockets }

  public var declaration: Declaration { Self.declarations[Int(rawValue)] }

  public var name: String { declaration.name }
  public var meaning: String { declaration.meaning }
  public var parameters: [FaultParameter] { declaration.parameters }
  public var isMoment: Bool { declaration.isMoment }

  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  private var declared: Declaration {
    switch self {
    case .halfOpen:
      Declaration("half-open", "the open connection dies without notice", breaks: true) { _, _ in }.momentary.eitherWay
    case .reset: Declaration("reset", "the open connection is reset", breaks: true) { _, _ in }.momentary
    case .close:
      Declaration(
        "close", "the server closes the open connection, and the client learns of it late",
        [.closeCode(standard: 1_001), .time("delay", standard: 0)], breaks: true, check: Self.closeCodeCheck
      ) { _, _ in }.momentary
    case .garbage:
      Declaration(
        "garbage", "the server sends a frame that breaks the protocol", [.closeCode(standard: 1_002)], breaks: true,
        check: Self.closeCodeCheck
      ) { _, _ in }.momentary
    case .enormousFrame:
      Declaration(
        "enormous-frame", "the server sends a frame beyond all bounds", [.bytes(standard: 64_000_000)], breaks: true
      ) { _, _ in }.momentary
    case .blackHole:
      Declaration(
        "black-hole", "every packet is lost both ways", breaks: true, blocks: Declaration.always
      ) { $0.isBlackHole = $1 != nil }.eitherWay
    case .partition:
      Declaration(
        "partition", "every packet is lost one way", [.word("way", ["up", "down"])], breaks: true,
        blocks: Declaration.always
      ) { $0.partition = $1.flatMap { Fault.Direction(rawValue: UInt8(clamping: $0[0])) } }
    case .latency:
      Declaration("latency", "every packet takes longer", [.time("added"), .time("jitter", standard: 0)]) {
        $0.latency = $1.map { ($0[0], $0[1]) }
      }.eitherWay
    case .bandwidth:
      Declaration(
        "bandwidth", "the way carries little",
        [FaultParameter("rate", .count(of: "bytes a second"), 1...Int64(UInt32.max))]
      ) { $0.bytesPerSecond = $1?[0] }.eitherWay
    case .loss:
      Declaration("loss", "packets are lost, each on its own", [.portion("share")], blocks: { $0.isAll(0) }) {
        $0.isAllLost = $1?.isAll(0) ?? false
        $0.loss = $0.isAllLost ? 0 : $1?.share(0) ?? 0
      }.eitherWay
    case .burstLoss:
      Declaration(
        "burst-loss", "packets are lost in bursts",
        [.portion("enter"), .portion("leave"), .portion("good", standard: 0), .portion("bad", standard: 1_000_000)],
        blocks: { $0.isAll(2) && $0.isAll(3) }, check: Self.burstCheck
      ) {
        $0.isAllLostInBursts = $1.map { $0.isAll(2) && $0.isAll(3) } ?? false
        $0.burst = $1.map { BurstLoss(enter: $0.share(0), leave: $0.share(1), good: $0.share(2), bad: $0.share(3)) }
      }.eitherWay
    case .idleCut:
      Declaration(
        "idle-cut", "a proxy cuts connections that are idle",
        [.time("after"), .word("silent", ["no", "yes"], standard: 0)], breaks: true
      ) { $0.idleCut = $1.map { ($0[0], $0.isSet(1)) } }
    case .nameNotFound:
      Declaration(
        "name-not-found", "the server's name is not found", [.time("after", standard: 50_000_000)],
        blocks: Declaration.always
      ) { $0.nameNotFound = $1?.time(0) }.ofAttempts
    case .captivePortal:
      Declaration(
        "captive-portal", "a captive portal answers in the server's place", blocks: Declaration.always
      ) { $0.isCaptive = $1 != nil }.ofAttempts
    case .insecure:
      Declaration("insecure", "the secure handshake fails", blocks: Declaration.always) {
        $0.isInsecure = $1 != nil
      }.ofAttempts
    case .refused:
      Declaration("refused", "nobody listens", blocks: Declaration.always) { $0.isRefused = $1 != nil }.ofAttempts
    case .refusal:
      Declaration(
        "refusal", "the handshake is answered by an HTTP status",
        [FaultParameter("status", .count(of: "HTTP status"), 200...599), .time("retry-after", isOptional: true)],
        blocks: Declaration.always,
        check: { fault in
          guard 300...399 ~= fault[0] else { return nil }
          return ("status", "\(fault[0])", "another status: one from 300 to 399 is `redirect`")
        }
      ) { $0.refusal = $1?.refusal }.ofAttempts
    case .redirect:
      Declaration(
        "redirect", "the handshake is redirected", [.word("to", ["secure", "plain", "unusable"])],
        blocks: Declaration.always
      ) { $0.redirect = $1?.redirect }.ofAttempts
    case .restart:
      Declaration(
        "restart", "the server restarts",
        [
          .word("how", ["graceful", "killed", "vanished"]), .word("history", ["lost", "kept"], standard: 1),
          // Added later than the others, so its default value is not written, as before.
          .word("numbers", ["lost", "kept"], standard: 1).omittedWhenDefault,
        ], breaks: true, blocks: Declaration.always
      ) { $0.departure = $1?.departure }
    case .shedding:
      Declaration(
        "shedding", "the server turns some of the attempts away",
        [.portion("share"), .time("retry-after", isOptional: true)], blocks: { $0.isAll(0) }
      ) { $0.shedding = $1.map { ($0.share(0), $0.optionalTime(1)) } }.ofAttempts
    case .acceptThenClose:
      Declaration(
        "accept-then-close", "connections are accepted and closed at once",
        [.closeCode(standard: 1_013), .time("after", standard: 0), .word("resumes", ["no", "yes"], standard: 0)],
        blocks: Declaration.always, check: Self.closeCodeCheck
      ) { $0.acceptThenClose = $1.map { ($0.closeCode, $0[1], $0.isSet(2)) } }.ofAttempts
    case .latePongs:
      Declaration("late-pongs", "pings are answered late", [.time("delay")], breaks: true) {
        $0.pongDelay = $1?[0] ?? 0
      }
    case .noPongs: Declaration("no-pongs", "pings are not answered", breaks: true) { $0.isWithoutPongs = $1 != nil }
    case .sleep:
      Declaration("sleep", "the phone sleeps", breaks: true, blocks: Declaration.always) {
        $0.isAsleep = $1 != nil
      }.ofPhone
    case .networkChange:
      Declaration("network-change", "the phone is on another network", breaks: true) { _, _ in }.momentary.ofPhone
    case .offline:
      Declaration("offline", "the phone has no network, and knows", breaks: true, blocks: Declaration.always) {
        $0.isOffline = $1 != nil
      }.ofPhone
    case .background: Declaration("background", "the app is not in front") { $0.isInBackground = $1 != nil }.ofPhone
    case .clockSkew:
      Declaration(
        "clock-skew", "the phone's clock is fast or slow",
        [FaultParameter("millionths", .count(of: "millionths"), -500_000...500_000)]
      ) { _, _ in }.ofPhone
    case .expiredCredentials:
      Declaration(
        "expired-credentials", "the credentials are no longer good",
        [.word("refreshable", ["no", "yes"], standard: 1)], blocks: { !$0.isSet(0) }
      ) { conditions, fault in conditions.expired = fault.map { (conditions.changed, $0.isSet(0)) } }.ofPhone
    case .slicer:
      Declaration(
        "slicer", "bytes go in small slices",
        [
          .bytes(standard: 1), .time("delay", standard: 0),
          FaultParameter("variation", .count(of: "bytes"), 0...Int64(UInt32.max), standard: 0).omittedWhenDefault,
        ],
        check: { fault in
          guard fault[2] >= fault[0], fault[2] > 0 else { return nil }
          return ("variation", "\(fault[2])", "fewer bytes than those of a slice, \(fault[0])")
        }
      ) { $0.slices = $1.map { ($0[0], $0[1], $0[2]) } }.ofSockets.eitherWay
    case .slowClose:
      Declaration("slow-close", "the end of a connection arrives late", [.time("delay")]) {
        $0.closeDelay = $1?[0] ?? 0
      }.ofSockets.eitherWay
    case .timeout:
      Declaration(
        "timeout", "no byte passes, and then the connection is closed",
        [.time("after"), .word("data", ["held", "lost"], standard: 0).omittedWhenDefault], breaks: true,
        blocks: Declaration.always
      ) { $0.stop = $1.map { ($0[0], $0.isSet(1)) } }.ofSockets.eitherWay
    case .limitData:
      Declaration(
        "limit-data", "connections are closed after a number of bytes",
        [.bytes(), .word("from", ["opened", "begun"], standard: 0).omittedWhenDefault], breaks: true
      ) { $0.byteLimit = $1.map { ($0[0], $0.isSet(1)) } }.ofSockets.eitherWay
    case .corruption:
      Declaration("corruption", "bytes are changed", [.portion("share")], breaks: true) {
        $0.corruption = $1?.share(0) ?? 0
      }.ofSockets.eitherWay
    case .busyCut:
      Declaration(
        "busy-cut", "connections that carry much are reset",
        [
          .bytes(isOptional: true),
          FaultParameter("messages", .count(of: "messages"), 1...Int64(UInt32.max), isOptional: true),
          .time("within", standard: 1_000_000_000),
        ], breaks: true,
        check: { fault in
          guard fault.optional(0) == nil, fault.optional(1) == nil else { return nil }
          return ("bytes", "none", "bytes= or messages=, the limit within the time")
        }
      ) { $0.busyCut = $1.map { BusyCut(bytes: $0.optional(0), messages: $0.optional(1), within: $0[2]) } }.ofSockets
        .eitherWay
    case .slowAccept:
      Declaration("slow-accept", "connections are accepted late", [.time("delay")]) {
        $0.acceptDelay = $1?[0]
      }.ofSockets.ofAttempts
    case .handshakeStall:
      Declaration(
        "handshake-stall", "the server's first answer stops short",
        [FaultParameter("bytes", .count(of: "bytes"), 0...Int64(UInt32.max), standard: 20)], breaks: true,
        blocks: Declaration.always
      ) { $0.handshakeStall = $1?[0] }.ofSockets.ofAttempts
    case .wrongAcceptKey:
      Declaration("wrong-accept-key", "the handshake is answered by a wrong key", blocks: Declaration.always) {
        $0.hasWrongAcceptKey = $1 != nil
      }.ofSockets.ofAttempts
    case .earlyGarbage:
      Declaration(
        "early-garbage", "bytes that are no frame come with the 101", [.bytes(standard: 64)], breaks: true,
        blocks: Declaration.always
      ) { $0.earlyGarbage = $1?[0] }.ofSockets.ofAttempts
    case .cut:
      Declaration(
        "cut", "each connection is cut some time after it was opened, even if it is busy",
        [
          .time("after"), .word("how", ["reset", "close"], standard: 0),
          .word("from", ["opened", "data"], standard: 0).omittedWhenDefault,
        ], breaks: true
      ) { $0.lifetime = $1.map { ($0[0], $0.isSet(1), $0.isSet(2)) } }.ofSockets.eitherWay
    }
  }

  private static let closeCodeCheck: @Sendable (Fault) -> Declaration.Contradiction? = { fault in
    fault.closeCode.isValidInFrame
      ? nil : ("code", "\(fault[0])", "a code that a close frame carries: 1000 to 1003, 1007 to 1014, 3000 to 4999")
  }

  private static let burstCheck: @Sendable (Fault) -> Declaration.Contradiction? = { fault in
    if let index = [0, 1].first(where: { fault[$0] == 0 }) {
      return (
        index == 0 ? "enter" : "leave", "0%",
        "more than 0%: a burst begins and ends; losses that never change are `loss`"
      )
    }
    guard fault[2] > fault[3] else { return nil }
    return ("good", FaultText.portion(fault[2]), "no more than is lost in a burst, \(FaultText.portion(fault[3]))")
  }
}

extension Fault {
  public var breaks: Bool { kind.declaration.breaks }

  public var blocks: Bool { kind.declaration.blocks(self) }

  var refusal: Refusal { Refusal(status: UInt16(clamping: values[0]), retryAfter: optionalTime(1)) }

  var redirect: Redirect { values[0] <= 0 ? .secure : values[0] == 1 ? .plain : .unusable }

  /// Throws if values are out of range or contradict each other.
  func check(named name: String) throws(LiveLabError) {
    for (index, parameter) in kind.parameters.enumerated() {
      let value = values[index]
      try LiveLabError.require(
        parameter.range.contains(value) || parameter.isOptional && value == FaultParameter.none,
        "\(name), \(parameter.name)", found: parameter.text(value), expected: parameter.expectation)
    }
    guard let (parameter, found, expected) = kind.declaration.check(self) else { return }
    throw .badValue(field: "\(name), \(parameter)", found: found, expected: expected)
  }
}

extension Fault: CustomStringConvertible {
  /// The name and the values: `restart how=graceful history=kept`.
  public var description: String { kind.name + parametersText }

  /// The values as written after the name, each preceded by a space.
  var parametersText: String { kind.text { parameter, index in parameter.written(Spread(values[index])) } }
}

extension Fault.Kind {
  /// Throws for a duration of a momentary fault, or for a lasting fault without one.
  func check(lasting: Spread, named field: String) throws(LiveLabError) {
    try LiveLabError.require(
      !isMoment || lasting == Spread(0), field, found: FaultText.time(lasting.maximum),
      expected: "no time: \(name) happens at one moment")
    try LiveLabError.require(
      isMoment || lasting.minimum > 0, field, found: FaultText.time(lasting.minimum),
      expected: "a time above 0, for which \(name) holds")
  }

  /// Some of the values, each preceded by a space.
  func text(_ written: (FaultParameter, Int) -> String?) -> String {
    parameters.enumerated().compactMap { index, parameter in
      written(parameter, index).map { " \(parameter.name)=\($0)" }
    }.joined()
  }
}
