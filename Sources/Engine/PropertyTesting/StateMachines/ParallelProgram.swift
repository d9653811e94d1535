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
  public var lines: [String] { lines(remark: { _, _ in "" }) }

  /// One line for each command and each branch, with something after each command of a branch.
  func lines(remark: (_ branch: Int, _ place: Int) -> String) -> [String] {
    prefix.map(\.description)
      + branches.indices.flatMap { branch in
        let steps = branches[branch].enumerated().map { "  \($1.description)\(remark(branch, $0))" }
        return ["branch \(branch + 1):"] + (steps.isEmpty ? ["  (no commands)"] : steps)
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
    let machine = self
    return Gen(span: .tuple) { draws in try machine.drawParallel(&draws, shape) }
  }

  /// Draws a parallel program.
  ///
  /// - Parameters:
  ///   - draws: Where decisions come from.
  ///   - shape: How large it is.
  ///   - companion: Draws what goes with every command of a branch; is given the branch.
  /// - Returns: The program.
  /// - Throws: `Discard` when there are too few commands.
  func drawParallel(
    _ draws: inout Draws, _ shape: ParallelShape, companion: ((inout Draws, Int) throws -> Void)? = nil
  ) throws -> ParallelProgram<Model, System> {
    var forked = initial
    let prefix = try ProgramDrawing(self, length: shape.prefix).draw(&draws, &forked, first: 0)
    let drawing = ProgramDrawing(self, length: shape.branch)
    var branches: [[any Step<Model, System>]] = []
    var number = prefix.count
    for branch in 0..<shape.branches {
      var model = forked
      let steps = try drawing.draw(
        &draws, &model, first: number,
        accepts: { steps, step in
          let candidates = (branches + [steps + [step]]).map { $0.map(Proposal.init) }
          return Interleavings(candidates).allAllow(from: forked)
        },
        companion: companion.map { companion in { draws in try companion(&draws, branch) } })
      number += steps.count
      branches.append(steps)
    }
    return ParallelProgram(prefix: prefix, branches: branches)
  }
}
