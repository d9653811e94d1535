// SPDX-License-Identifier: GPL-3.0-or-later

/// A mistake of a model, with the process that made it and the time.
public struct SimulationError: Error, Sendable, CustomStringConvertible {
  enum Problem: Sendable {
    case badDelay(Double)
    case badAmount(Double, of: String, expected: String)
    /// No process can go on: each name with what it waits for.
    case deadlock([(process: String, resource: String)])
    /// This many processes await something that is not of the simulation.
    case elsewhere(Int)
    case failed(any Error)
  }

  let problem: Problem
  /// The name of the process; `nil` for an event of an agenda, and where all of them wait.
  public let process: String?
  /// The time of the simulation.
  public let time: Double

  /// One sentence: the process, the time, what is wrong and what was expected.
  public var description: String {
    let place = (process.map { "process '\($0)' " } ?? "") + "at \(time): "
    return switch problem {
    case .badDelay(let delay): place + "the delay is \(delay), expected a number from 0"
    case .badAmount(let amount, let name, let expected): place + "'\(name)' gets \(amount), expected \(expected)"
    case .deadlock(let waits):
      place + "no process can go on: "
        + waits.prefix(8).map { "'\($0.process)' waits for '\($0.resource)'" }.joined(separator: ", ")
        + (waits.count > 8 ? " and \(waits.count - 8) more" : "")
    case .elsewhere(let count):
      place + "\(count) \(count == 1 ? "process awaits" : "processes await") something outside of the simulation; "
        + "expected only its own waits, and code that runs on no actor"
    case .failed(let error): place + "\(error)"
    }
  }

  /// The error of the process's own code; `nil` for a misuse of the simulation.
  public var underlying: (any Error)? { if case .failed(let error) = problem { error } else { nil } }
}
