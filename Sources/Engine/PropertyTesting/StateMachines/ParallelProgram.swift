// SPDX-License-Identifier: GPL-3.0-or-later

/// Commands to be run one after the other, and then branches of commands to be run at the same time.
public struct ParallelProgram<Model: Sendable, System>: Sendable, CustomStringConvertible,
  CustomDebugStringConvertible
{
  let prefix: [any Step<Model, System>]
  let branches: [[any Step<Model, System>]]

  /// How many commands it has.
  public var count: Int { branches.reduce(prefix.count) { $0 + $1.count } }

  /// One line for each command and each branch; the commands of a branch stand under it.
  public var lines: [String] {
    prefix.map(\.description)
      + branches.enumerated().flatMap { index, steps in
        ["branch \(index + 1):"] + (steps.isEmpty ? ["  (no commands)"] : steps.map { "  \($0.description)" })
      }
  }
  /// The commands, one on each line.
  public var description: String { lines.joined(separator: "\n") }
  /// The commands, one on each line.
  public var debugDescription: String { description }
}

/// How large parallel programs are.
public struct ParallelShape: Sendable, Hashable {
  /// How many commands run before the branches part.
  public var prefix = 0...5
  /// How many branches run at the same time.
  public var branches = 2
  /// How many commands a branch has.
  public var branch = 0...4

  /// Two branches of at most four commands, after at most five.
  public init() {}

  /// Creates a shape.
  ///
  /// - Parameters:
  ///   - prefix: How many commands run before the branches part.
  ///   - branches: How many branches run at the same time, 1 to 8.
  ///   - branch: How many commands a branch has. Checking takes time exponential in the branches: keep them short.
  public init(prefix: ClosedRange<Int> = 0...5, branches: Int = 2, branch: ClosedRange<Int> = 0...4) {
    self.prefix = prefix
    self.branches = min(max(branches, 1), 8)
    self.branch = branch
  }
}

extension StateMachine where Model: Hashable {
  /// Programs for `execute(_:repetitions:)`: in whatever order the branches' commands happen, their preconditions hold.
  ///
  /// - Parameter shape: How large they are.
  /// - Returns: A generator of programs; commands that other branches could make impossible are left out.
  public func parallelPrograms(_ shape: ParallelShape = ParallelShape()) -> Gen<ParallelProgram<Model, System>> {
    let before = ProgramDrawing(self, length: shape.prefix)
    let within = ProgramDrawing(self, length: shape.branch)
    let initial = initial
    return Gen(span: .tuple) { draws in
      var forked = initial
      let prefix = try before.draw(&draws, &forked, first: 0)
      var branches: [[any Step<Model, System>]] = []
      var number = prefix.count
      for _ in 0..<shape.branches {
        var model = forked
        let steps = try within.draw(&draws, &model, first: number) { steps, step in
          let candidates = (branches + [steps + [step]]).map { $0.map(Proposal.init) }
          return Interleavings(candidates).allAllow(from: forked)
        }
        number += steps.count
        branches.append(steps)
      }
      return ParallelProgram(prefix: prefix, branches: branches)
    }
  }
}
