// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

extension FaultSchedule: CustomStringConvertible {
  /// The version of the text form.
  package static let version = "live/1"

  /// The schedule on one line, exact to the nanosecond, from which it can be read back. A parameter that came later
  /// than the version of the text is written only where it has another than its usual value, so that a text of before
  /// is read as it was meant, and written as it was: `live/1 for=30m limit=45s; 5m offline for=20s; 5m20s
  /// network-change`.
  package var description: String {
    let head = "\(Self.version) for=\(FaultText.text(duration))"
    let limit = limit.map { " limit=\(FaultText.text($0))" } ?? ""
    return faults.reduce(into: head + limit) { text, timed in text += "; \(timed)" }
  }
}

extension TimedFault: CustomStringConvertible {
  /// When, what, for how long and with which values: `5m restart for=20s how=graceful history=kept`.
  package var description: String {
    let lasting = fault.kind.isMoment ? "" : " for=\(FaultText.text(lasting))"
    return "\(FaultText.text(at - .zero)) \(fault.kind.rawValue)\(lasting)\(fault.parametersText)"
  }
}

extension Fault {
  /// Its values as they are written behind its name, each with a blank before it.
  var parametersText: String {
    let values = values
    return kind.parameters.enumerated().reduce(into: "") { text, item in
      let (place, parameter) = item
      let isAbsent = parameter.isOptional && values[place] == FaultParameter.none
      guard !isAbsent, !parameter.isLeftOutWhenUsual || values[place] != parameter.standard else { return }
      text += " \(parameter.name)=\(parameter.text(values[place]))"
    }
  }
}

extension Fault: CustomStringConvertible {
  /// Its name and its values: `restart how=graceful history=kept`.
  package var description: String { kind.rawValue + parametersText }
}
