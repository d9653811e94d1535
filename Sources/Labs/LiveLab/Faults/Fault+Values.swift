// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension Fault.Kind {
  /// Its parameters, at most four, in the order of `Fault.values`.
  package var parameters: [FaultParameter] {
    switch self {
    case .close: [.closeCode(standard: 1_001), .time("delay", standard: 0)]
    case .garbage: [.closeCode(standard: 1_002)]
    case .enormousFrame:
      [FaultParameter("bytes", .count(of: "bytes"), 1...Int64(UInt32.max), standard: 64_000_000)]
    case .partition: [.word("way", ["up", "down"])]
    case .latency: [.time("added"), .time("jitter", standard: 0)]
    case .bandwidth: [FaultParameter("rate", .count(of: "bytes a second"), 1...Int64(UInt32.max))]
    case .loss: [.portion("share")]
    case .burstLoss:
      [.portion("enter"), .portion("leave"), .portion("good", standard: 0), .portion("bad", standard: 1_000_000)]
    case .idleCut: [.time("after"), .word("silent", ["no", "yes"], standard: 0)]
    case .nameNotFound: [.time("after", standard: 50_000_000)]
    case .refusal:
      [FaultParameter("status", .count(of: "HTTP status"), 200...599), .time("retry-after", isOptional: true)]
    case .redirect: [.word("to", ["secure", "plain", "unusable"])]
    case .restart:
      [
        .word("how", ["graceful", "killed", "vanished"]), .word("history", ["lost", "kept"], standard: 1),
        // Came later than the others: what says nothing of it is written as it was.
        .word("numbers", ["lost", "kept"], standard: 1).leftOutWhenUsual,
      ]
    case .shedding: [.portion("share"), .time("retry-after", isOptional: true)]
    case .acceptThenClose:
      [
        .closeCode(standard: 1_013), .time("after", standard: 0), .word("resumes", ["no", "yes"], standard: 0),
      ]
    case .latePongs: [.time("delay")]
    case .clockSkew: [FaultParameter("millionths", .count(of: "millionths"), -500_000...500_000)]
    case .expiredCredentials: [.word("refreshable", ["no", "yes"], standard: 1)]
    default: []
    }
  }
}

extension Fault {
  /// The values of its parameters, in their order, as `FaultParameter.Unit` counts them.
  package var values: SIMD4<Int64> {
    switch self {
    case .close(let code, let delay): [Int64(code.value), delay.nanoseconds, 0, 0]
    case .garbage(let code): [Int64(code.value), 0, 0, 0]
    case .enormousFrame(let bytes): [Int64(bytes), 0, 0, 0]
    case .partition(let way): [Int64(way.rawValue), 0, 0, 0]
    case .latency(let added, let jitter): [added.nanoseconds, jitter.nanoseconds, 0, 0]
    case .bandwidth(let rate): [Int64(rate), 0, 0, 0]
    case .loss(let portion): [Int64(portion.millionths), 0, 0, 0]
    case .burstLoss(let enter, let leave, let good, let bad):
      [Int64(enter.millionths), Int64(leave.millionths), Int64(good.millionths), Int64(bad.millionths)]
    case .idleCut(let after, let isSilent): [after.nanoseconds, isSilent ? 1 : 0, 0, 0]
    case .nameNotFound(let after): [after.nanoseconds, 0, 0, 0]
    case .refusal(let status, let wait): [Int64(status), wait?.nanoseconds ?? FaultParameter.none, 0, 0]
    case .redirect(let target): [Int64(target.rawValue), 0, 0, 0]
    case .restart(let departure, let keepsHistory, let keepsNumbers):
      [Int64(departure.rawValue), keepsHistory ? 1 : 0, keepsNumbers ? 1 : 0, 0]
    case .shedding(let portion, let wait):
      [Int64(portion.millionths), wait?.nanoseconds ?? FaultParameter.none, 0, 0]
    case .acceptThenClose(let code, let after, let resumes):
      [Int64(code.value), after.nanoseconds, resumes ? 1 : 0, 0]
    case .latePongs(let delay): [delay.nanoseconds, 0, 0, 0]
    case .clockSkew(let millionths): [Int64(millionths), 0, 0, 0]
    case .expiredCredentials(let isRefreshable): [isRefreshable ? 1 : 0, 0, 0, 0]
    default: .zero
    }
  }

  /// The fault of a kind with those values.
  ///
  /// - Parameters:
  ///   - kind: Which fault.
  ///   - values: The values of its parameters; what is out of range becomes the nearest that the fault can hold.
  package init(_ kind: Kind, values: SIMD4<Int64>) {
    let first = values[0]
    func time(_ place: Int) -> Interval { Interval(nanoseconds: max(0, values[place])) }
    func portion(_ place: Int) -> Portion { Portion(millionths: UInt32(clamping: values[place])) }
    func wait(_ place: Int) -> Interval? { values[place] < 0 ? nil : time(place) }
    let code = CloseCode(UInt16(clamping: first))
    switch kind {
    case .halfOpen: self = .halfOpen
    case .reset: self = .reset
    case .close: self = .close(code, delay: time(1))
    case .garbage: self = .garbage(code)
    case .enormousFrame: self = .enormousFrame(bytes: UInt32(clamping: first))
    case .blackHole: self = .blackHole
    case .partition: self = .partition(first <= 0 ? .up : .down)
    case .latency: self = .latency(added: time(0), jitter: time(1))
    case .bandwidth: self = .bandwidth(bytesPerSecond: UInt32(clamping: first))
    case .loss: self = .loss(portion(0))
    case .burstLoss: self = .burstLoss(enter: portion(0), leave: portion(1), good: portion(2), bad: portion(3))
    case .idleCut: self = .idleCut(after: time(0), isSilent: values[1] > 0)
    case .nameNotFound: self = .nameNotFound(after: time(0))
    case .captivePortal: self = .captivePortal
    case .insecure: self = .insecure
    case .refused: self = .refused
    case .refusal: self = .refusal(status: UInt16(clamping: first), retryAfter: wait(1))
    case .redirect: self = .redirect(first <= 0 ? .secure : first == 1 ? .plain : .unusable)
    case .restart:
      self = .restart(
        first <= 0 ? .graceful : first == 1 ? .killed : .vanished, keepsHistory: values[1] > 0,
        keepsNumbers: values[2] > 0)
    case .shedding: self = .shedding(portion(0), retryAfter: wait(1))
    case .acceptThenClose: self = .acceptThenClose(code, after: time(1), resumes: values[2] > 0)
    case .latePongs: self = .latePongs(delay: time(0))
    case .noPongs: self = .noPongs
    case .sleep: self = .sleep
    case .networkChange: self = .networkChange
    case .offline: self = .offline
    case .background: self = .background
    case .clockSkew: self = .clockSkew(millionths: Int32(clamping: first))
    case .expiredCredentials: self = .expiredCredentials(isRefreshable: first > 0)
    }
  }
}
