// SPDX-License-Identifier: GPL-3.0-or-later
internal import CoreDates
public import LiveCore
internal import Reporting

/// The texts of a timeline for events, effects and states of a connection. `#2` is the second socket.
public enum TimelineWords {
  static func text(of event: LiveEvent) -> String {
    switch event {
    case .start: "app: start"
    case .stop: "app: stop"
    case .retry: "app: try now"
    case .send(let number, let bytes): "app: send message \(number.value), \(bytes) bytes"
    case .network(let isReachable): isReachable ? "device: network there" : "device: no network"
    case .networkChanged: "device: another network"
    case .app(let isInFront): isInFront ? "device: app in front" : "device: app in background"
    case .woke: "device: woke"
    case .opened(let generation): "\(text(of: generation)) opened"
    case .failed(let generation, let failure): "\(text(of: generation)) failed: \(text(of: failure))"
    case .refused(let generation, let refusal): "\(text(of: generation)) refused: \(text(of: refusal))"
    case .received(let generation, let frame): "\(text(of: generation)) received \(text(of: frame))"
    case .moved(let generation): "\(text(of: generation)) received part of a message"
    case .sending(let generation, let number, let isWhole):
      "\(text(of: generation)) sent \(isWhole ? "the rest" : "part") of message \(number.value)"
    case .closed(let generation, let closure): "\(text(of: generation)) closed \(text(of: closure))"
    case .timer: "timer"
    case .credentials(let generation, let isFresh):
      "\(text(of: generation)) \(isFresh ? "fresh credentials" : "no credentials to be had")"
    }
  }

  static func text(of effect: LiveEffect) -> String {
    switch effect {
    case .open(let generation, let target):
      "open \(text(of: generation))\(target == .redirected ? " where the redirect leads" : "")"
    case .abort(let generation): "abort \(text(of: generation))"
    case .sendClose(let generation, let code): "\(text(of: generation)) close with \(code.value)"
    case .sendPing(let generation, let number): "\(text(of: generation)) ping \(number)"
    case .sendPong(let generation, let number): "\(text(of: generation)) pong \(number)"
    case .sendResume(let generation, let position):
      "\(text(of: generation)) resume \(position.map { "after \(text(of: $0))" } ?? "from now on")"
    case .sendMessage(let generation, let number): "\(text(of: generation)) send message \(number.value)"
    case .setTimer(_, let moment): "timer at \(TimelineClock.text(of: moment))"
    case .cancelTimer: "no timer"
    case .refreshCredentials(let generation): "\(text(of: generation)) refresh credentials"
    case .deliver(let position, let bytes):
      "deliver \(position.map { text(of: $0) } ?? "a message"), \(bytes) bytes"
    case .gap(let after, let last):
      "report a gap after \(after.map { text(of: $0) } ?? "nothing") up to \(text(of: last))"
    case .acknowledged(let number): "forget messages up to \(number.value)"
    case .dropped(let number, let reason): "drop message \(number.value): \(text(of: reason))"
    case .statusChanged: "status changed"
    }
  }

  /// The client's status, with times by the world's clock, which is `shift` later than the client's.
  static func text(of status: LiveStatus, shifted shift: Interval = .zero) -> String {
    var words = ["\(status.phase)"]
    if status.phase == .connected {
      words.append(status.isCurrent ? "current" : "not yet current")
      if status.health == .doubtful { words.append("doubtful") }
    }
    if status.attempt > 0 { words.append("attempt \(status.attempt)") }
    if let next = status.nextTry { words.append("next try \(TimelineClock.text(of: next + shift))") }
    if status.queued > 0 { words.append("\(status.queued) queued") }
    if let problem = status.lastProblem { words.append(text(of: problem)) }
    return words.joined(separator: ", ")
  }

  /// A change of the world; faults are named by their indices in the schedule.
  static func text(of change: SessionChange, in schedule: FaultSchedule) -> String {
    switch change {
    case .faultBegan(let index):
      schedule.faults.indices.contains(index) ? beginning(of: schedule.faults[index]) : fault(index, of: schedule)
    case .faultEnded(let index): "\(fault(index, of: schedule)) is over"
    case .accepted(let generation): "the server accepted \(text(of: generation))"
    case .lostAtServer(let generation): "\(text(of: generation)) is gone at the server"
    case .lostAtClient(let generation): "\(text(of: generation)) is gone at the client"
    case .published(let index, let bytes): "the server published \(text(of: index)), \(bytes) bytes"
    case .took(let number, let isRepeated):
      "the server took message \(number.value)\(isRepeated ? " again" : "")"
    case .serverStopped: "the server stopped"
    case .serverStarted: "the server is there again"
    case .device(let isAsleep): isAsleep ? "the device sleeps" : "the device woke"
    case .served(let isServed): isServed ? "connected and current" : "no longer connected and current"
    }
  }

  /// The name of a fault, or its number if the schedule has no such index.
  static func fault(_ index: Int, of schedule: FaultSchedule) -> String {
    schedule.faults.indices.contains(index) ? schedule.faults[index].fault.kind.name : "fault \(index)"
  }

  private static func beginning(of timed: TimedFault) -> String {
    let length = timed.lasting > .zero ? "for \(TimelineClock.text(of: timed.lasting)) " : ""
    return "\(timed.fault): \(length)\(timed.fault.kind.meaning)"
  }

  /// A problem of a connection in a few words: `connection refused`.
  public static func text(of problem: Problem) -> String {
    switch problem {
    case .failed(let failure): text(of: failure)
    case .connectTimeout: "connect timeout"
    case .refused(let status): "refused by \(status)"
    case .closed(let closure): "closed \(text(of: closure))"
    case .pongTimeout: "pong timeout"
    case .malformed(let code): "protocol broken (\(code.value))"
    case .resumeTimeout: "resume timeout"
    case .networkChanged: "another network"
    case .offline: "no network"
    case .credentials: "no credentials"
    }
  }

  /// A socket: `#2` for the second.
  static func text(of generation: Generation) -> String { "#\(generation.number)" }

  static func text(of failure: ConnectFailure) -> String {
    switch failure {
    case .nameNotFound: "name not found"
    case .connectionRefused: "connection refused"
    case .unreachable: "no way to the host"
    case .timedOut: "the kernel gave up"
    case .insecure: "TLS failed"
    case .reset: "reset"
    case .notWebSocket: "no WebSocket answered"
    }
  }

  private static func text(of refusal: Refusal) -> String {
    let rest = [
      refusal.retryAfter.map { "retry after \(TimelineClock.text(of: $0))" },
      refusal.redirect.map { "redirect to \($0 == .unusable ? "nowhere" : $0 == .secure ? "wss" : "ws")" },
    ]
    return (["\(refusal.status)"] + rest.compactMap(\.self)).joined(separator: ", ")
  }

  private static func text(of frame: ServerFrame) -> String {
    switch frame {
    case .ping(let number): "ping \(number)"
    case .pong(let number): "pong \(number)"
    case .message(let position, let bytes): "\(position.map { text(of: $0) } ?? "a message"), \(bytes) bytes"
    case .acknowledged(let number): "acknowledgement up to \(number.value)"
    case .resumed(let position): "resumed after \(text(of: position))"
    case .malformed(let code): "what breaks the protocol (\(code.value))"
    }
  }

  private static func text(of closure: Closure) -> String {
    switch closure.origin {
    case .server: "by the server, \(closure.code.value)"
    case .client: "by us, \(closure.code.value)"
    case .network: "without good-bye"
    }
  }

  /// The reason why a message was not sent in a few words: `too old`.
  public static func text(of reason: DropReason) -> String {
    switch reason {
    case .overflow: "too many"
    case .age: "too old"
    case .closed: "closed"
    case .uncertain: "it may have arrived"
    case .cut: "cut while it was being sent"
    }
  }

  /// A position in the stream: `1/42` for the 42nd message of the first epoch.
  static func text(of position: StreamPosition) -> String { "\(position.epoch)/\(position.offset)" }
}

/// Times and durations in the form of a timeline.
public enum TimelineClock {
  /// A time as minutes, seconds and milliseconds, `2:05.250`, with hours before them if there are any; finer parts are
  /// truncated.
  public static func text(of moment: Instant) -> String {
    let thousandths = Int(moment.nanoseconds / 1_000_000)
    let (hours, minutes) = (thousandths / 3_600_000, thousandths / 60_000 % 60)
    let rest = (thousandths / 1_000 % 60).padded(to: 2) + "." + (thousandths % 1_000).padded(to: 3)
    return hours > 0 ? "\(hours):\(minutes.padded(to: 2)):\(rest)" : "\(minutes):\(rest)"
  }

  /// A duration in words: `85 ms`, `2.5 s`, `1 min 30 s`, `2 h 5 min`; parts finer than the last unit are truncated.
  public static func text(of interval: Interval) -> String {
    let thousandths = Int(interval.nanoseconds / 1_000_000)
    switch thousandths {
    case ..<1_000: return "\(thousandths) ms"
    case ..<60_000: return NumberFormat.shortest(Double(thousandths) / 1_000) + " s"
    case ..<3_600_000: return joined(thousandths / 60_000, "min", thousandths / 1_000 % 60, "s")
    default: return joined(thousandths / 3_600_000, "h", thousandths / 60_000 % 60, "min")
    }
  }

  /// A time to return in seconds with about three digits: `0.45 s`, `12.3 s`, `never`.
  public static func seconds(_ interval: Interval) -> String {
    guard interval != .forever else { return "never" }
    let seconds = interval.seconds
    guard seconds < 999.5 else { return NumberFormat.grouped(Int(seconds.rounded())) + " s" }
    let decimals = seconds >= 99.95 || seconds == seconds.rounded() ? 0 : seconds >= 9.995 ? 1 : 2
    return NumberFormat.fixed(seconds, decimals: decimals) + " s"
  }

  private static func joined(_ whole: Int, _ unit: String, _ rest: Int, _ smaller: String) -> String {
    rest == 0 ? "\(whole) \(unit)" : "\(whole) \(unit) \(rest) \(smaller)"
  }
}
