// SPDX-License-Identifier: GPL-3.0-or-later

/// A parallel program with the moments at which its branches give way to each other.
public struct Interleaving<Model: Sendable, System>: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  /// What is run.
  public let program: ParallelProgram<Model, System>
  /// For every branch and command, and every moment in it when another task could go on: which task does, counted from
  /// the one that became ready last. After the moments listed a task goes on for as long as it can.
  public let turns: [[[Int]]]

  /// In how many moments of a run each other task is tried.
  static var systematicMoments: Int { 200 }

  /// Whether any branch gives way.
  var hasTurns: Bool { turns.joined().joined().contains { $0 > 0 } }

  /// The commands, one on each line, with their turns where they give way.
  public var description: String {
    program.lines { branch, place in
      let turns = turns[branch][place]
      return turns.contains { $0 > 0 } ? "  // turns: \(turns)" : ""
    }.joined(separator: "\n")
  }
  /// The commands, one on each line, with their turns where they give way.
  public var debugDescription: String { description }
}

extension StateMachine where Model: Hashable {
  /// Programs with the turns of their branches, for `execute(_: Interleaving)`. They shrink towards few changes.
  ///
  /// - Parameters:
  ///   - shape: How large they are.
  ///   - turns: In how many moments of a command it is drawn who goes on.
  /// - Returns: A generator of programs with turns.
  public func interleavings(
    _ shape: ParallelShape = ParallelShape(), turns: ClosedRange<Int> = 0...10
  ) -> Gen<Interleaving<Model, System>> {
    let machine = self
    let moments = Gen<[Int]>.arrays(of: .integers(in: 0...max(1, shape.branches - 1)), count: turns)
    return Gen(span: .tuple) { draws in
      var drawn: [[[Int]]] = Array(repeating: [], count: shape.branches)
      let program = try machine.drawParallel(&draws, shape) { draws, branch in
        drawn[branch].append(try draws.draw(moments))
      }
      return Interleaving(program: program, turns: drawn)
    }
  }
}
