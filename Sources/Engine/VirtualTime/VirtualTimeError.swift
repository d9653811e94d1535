// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a run in virtual time came to nothing.
package enum VirtualTimeError: Error, Sendable, Hashable {
  /// The body waits for something, and nothing is left that could happen.
  case deadlock(at: VirtualInstant)
  /// The body was not done after the most jobs it may take.
  case unfinished(jobs: Int, at: VirtualInstant)
  /// The order of the jobs was to be one that there is not.
  case badChoice(Int, of: Int)
}

extension VirtualTimeError: CustomStringConvertible {
  /// What is wrong, where, and how to mend it.
  package var description: String {
    switch self {
    case .deadlock(let time):
      """
      deadlock at \(time) of virtual time: the body is not done, nothing is ready to run and nobody sleeps \
      on the clock. It waits for something that never happens, or for something outside: real time (Task.sleep, or \
      Task.yield in an unstructured task, instead of clock.sleep), another thread or the main actor.
      """
    case .unfinished(let jobs, let time):
      """
      not done after \(jobs) jobs, at \(time) of virtual time: the body goes round in a circle, or needs a larger \
      `mostJobs`.
      """
    case .badChoice(let index, let count):
      "job \(index) of \(count) was chosen to run next: `choosing` must return 0..<\(count)."
    }
  }
}
