// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Why a property could not be tested in a process of its own.
public enum WorkerError: Error, Sendable, Hashable {
  /// A case took longer than it may; it was ended, and its choices are known unless it was still being drawn.
  case hung(property: String, limit: Duration, token: ReplayToken?)
  /// A generator ended the process, so there is no case to show.
  case generatorTrapped(property: String, cause: String, cases: Int)
  /// The process ended while no case was being drawn or judged.
  case died(property: String, cause: String)
  /// The process does not know the property.
  case unknownProperty(String)
  /// The process said something else than what it was asked for.
  case misunderstood(String)
  /// The system refuses what a process of its own needs.
  case refused(task: String, cause: String)
}

extension WorkerError: CustomStringConvertible {
  /// One sentence or two: what, where, and how to mend it.
  public var description: String {
    switch self {
    case .hung(let property, let limit, let token):
      "'\(property)': one case took longer than \(limit) to be \(token == nil ? "drawn" : "judged"), and was ended;"
        + " allow more by a longer limit for a case, or mend what does not end."
        + (token.map { " The case: \($0)" } ?? "")
    case .generatorTrapped(let property, let cause, let cases):
      "'\(property)': a generator \(cause). It was drawing case \(cases), and has to make a value or discard the case."
    case .died(let property, let cause):
      "'\(property)': the process that tests it \(cause) between two cases."
    case .unknownProperty(let property):
      "the process that tests properties does not know '\(property)'."
    case .misunderstood(let what):
      "the process that tests properties: \(what)."
    case .refused(let task, let cause):
      "\(task): \(cause)."
    }
  }

  /// A refusal with the message of an error number.
  static func system(_ task: String, _ code: Int32) -> WorkerError {
    let cause = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return .refused(task: task, cause: cause)
  }
}
