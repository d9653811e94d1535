// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension TimedFault {
  /// Refuses what contradicts itself or the session.
  func check(within duration: Interval, named name: String) throws(LiveLabError) {
    guard at >= .zero, at - .zero < duration else {
      throw .badValue(
        field: "\(name), at", found: FaultText.text(at - .zero),
        expected: "a moment of the session, from 0s to before \(FaultText.text(duration))")
    }
    if fault.kind.isMoment {
      guard lasting == .zero else {
        throw .badValue(
          field: "\(name), for", found: FaultText.text(lasting), expected: "no time: it happens at one moment")
      }
    } else if lasting <= .zero {
      throw .badValue(
        field: "\(name), for", found: FaultText.text(lasting), expected: "a time above 0, for which it holds")
    }
    try fault.check(named: name)
  }
}

extension Fault {
  /// Refuses values that no such fault has, and values that contradict each other.
  func check(named name: String) throws(LiveLabError) {
    let (kind, values) = (kind, values)
    for (place, parameter) in kind.parameters.enumerated() {
      let value = values[place]
      guard parameter.range.contains(value) || parameter.isOptional && value == FaultParameter.none else {
        throw .badValue(
          field: "\(name), \(parameter.name)", found: parameter.text(value), expected: parameter.expectation)
      }
    }
    switch self {
    case .close(let code, _), .garbage(let code), .acceptThenClose(let code, _, _):
      guard code.canBeSent else {
        throw .badValue(
          field: "\(name), code", found: "\(code.value)",
          expected: "a code that a close frame carries: 1000 to 1003, 1007 to 1014, 3000 to 4999")
      }
    case .burstLoss(let enter, let leave, let good, let bad):
      guard enter != .none, leave != .none else {
        throw .badValue(
          field: "\(name), \(enter == .none ? "enter" : "leave")", found: "0%",
          expected: "more than 0%: a burst begins and ends; losses that never change are `loss`")
      }
      guard good.millionths <= bad.millionths else {
        throw .badValue(
          field: "\(name), good", found: FaultText.portion(Int64(good.millionths)),
          expected: "no more than is lost in a burst, \(FaultText.portion(Int64(bad.millionths)))")
      }
    case .refusal(let status, _) where 300...399 ~= status:
      throw .badValue(
        field: "\(name), status", found: "\(status)", expected: "another status: one from 300 to 399 is `redirect`")
    default: break
    }
  }
}

extension CloseCode {
  /// Whether a close frame may carry it (RFC 6455, section 7.4, and the registry of the IANA).
  var canBeSent: Bool {
    switch value {
    case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
    default: false
    }
  }
}
