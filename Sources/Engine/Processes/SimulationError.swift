// SPDX-License-Identifier: GPL-3.0-or-later

/// A mistake of a model, with the process that made it and the time.
public struct SimulationError: Error, Sendable, CustomStringConvertible {
  enum Problem: Sendable {
    /// A delay, an amount or a time, by what it is.
    case badNumber(Double, String, expected: String)
    case badCount(Int, String, expected: String)
    /// No process can go on: each name with what it waits for.
    case deadlock([(process: String, resource: String)])
    /// The names of the processes that await something that is not of the simulation.
    case elsewhere([String])
    /// This many jobs ran without time going on.
    case standstill(Int)
    /// It goes on although its waits throw.
    case endless
    /// A process that waits already, or has ended, is asked to wait.
    case waitsTwice
    case noBranch
    /// A thing, by its name, is of another simulation.
    case foreign(String)
    case runsAlready
    case failed(any Error)
  }

  let problem: Problem
  /// The name of the process; `nil` for an event of an agenda, and where all of them wait.
  public let process: String?
  /// The time of the simulation.
  public let time: Double

  /// One sentence: the process, the time, what is wrong and what was expected.
  public var description: String {
    (process.map { "process '\($0)' " } ?? "") + "at \(time): \(text)"
  }

  private var text: String {
    switch problem {
    case .badNumber(let number, let what, let expected): "\(what) is \(number), expected \(expected)"
    case .badCount(let count, let what, let expected): "\(what) is \(count), expected \(expected)"
    case .deadlock(let waits):
      "no process can go on: " + Self.list(waits.map { "'\($0.process)' waits for '\($0.resource)'" })
    case .elsewhere(let names):
      "\(Self.list(names.map { "'\($0)'" })) \(names.count == 1 ? "awaits" : "await") something outside of the "
        + "simulation; expected only its own waits, and code that runs on no actor: in a function, not at the top level"
    case .standstill(let jobs):
      "\(jobs) waits have ended at this time, and it goes on so; expected a delay above 0"
    case .endless:
      "it goes on although its waits throw; expected to let SimulationEnded and CancellationError pass"
    case .waitsTwice:
      "it waits already or has ended; expected each process, and each branch of 'any' and 'all', to wait by the one "
        + "that its code gets"
    case .noBranch: "'any' has no branches, expected one at least"
    case .foreign(let name): "'\(name)' is of another simulation, expected one of the process's own"
    case .runsAlready: "the run begins again within itself; expected one run, outside of its processes"
    case .failed(let error): "\(error)"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }

  /// The error of the process's own code; `nil` for a misuse of the simulation.
  public var underlying: (any Error)? { if case .failed(let error) = problem { error } else { nil } }
}
