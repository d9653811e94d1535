// SPDX-License-Identifier: GPL-3.0-or-later
internal import Randomness

/// Draws commands after a state of a model, as a collection on the tape: its length, and a span for each command.
///
/// A command that a tape asks for and that may not run there any more is left out, on the tape as well. So a shrinker
/// that deletes a command need not know which later ones depend on it.
struct ProgramDrawing<Model: Sendable, System>: Sendable {
  /// How many random commands may be refused in a row before a program ends early.
  private static var attempts: Int { 100 }
  /// After so many refusals all kinds of commands are tried, not only the program's own.
  private static var loyalty: Int { 10 }

  let commands: [any Command<Model, System>]
  let length: ClosedRange<Int>

  init(_ machine: StateMachine<Model, System>, length: ClosedRange<Int>) {
    commands = machine.commands
    self.length = max(0, length.lowerBound)...max(0, length.upperBound)
  }

  func draw(
    _ draws: inout Draws, _ model: inout Model, first: Int,
    accepts: ([any Step<Model, System>], any Step<Model, System>) -> Bool = { _, _ in true },
    companion: ((inout Draws) throws -> Void)? = nil
  ) throws -> [any Step<Model, System>] {
    var steps: [any Step<Model, System>] = []
    try draws.open(SpanKind.collection.label([any Step<Model, System>].self))
    let beginning = draws.position
    let count = commands.isEmpty ? 0 : try draws.length(length)
    let kinds = draws.isReplaying ? [] : mix(&draws)
    for _ in 0..<count {
      let step = try step(&draws, after: model, number: first + steps.count, kinds, companion) { accepts(steps, $0) }
      if let step {
        step.advance(&model)
        steps.append(step)
      } else if !draws.isReplaying {
        break
      }
    }
    if steps.count < length.lowerBound { throw Discard.filtered }
    if !commands.isEmpty { draws.amend(beginning, to: UInt64(steps.count)) }
    try draws.close()
    return steps
  }

  /// Draws one command: of random ones the first that may run, of a tape's the next, or nil if that may not.
  private func step(
    _ draws: inout Draws, after model: Model, number: Int, _ kinds: [UInt64],
    _ companion: ((inout Draws) throws -> Void)?, accepts: (any Step<Model, System>) -> Bool
  ) throws -> (any Step<Model, System>)? {
    for attempt in 0..<(draws.isReplaying ? 1 : Self.attempts) {
      let checkpoint = draws.checkpoint
      do {
        if companion != nil { try draws.open(SpanKind.tuple.label((any Step<Model, System>).self)) }
        let step = try candidate(&draws, after: model, number: number, attempt < Self.loyalty ? kinds : [])
        if step.allows(model), accepts(step) {
          guard let companion else { return step }
          try companion(&draws)
          try draws.close()
          return step
        }
      } catch let discard as Discard where discard != .tooLarge {
        // Its generator has nothing to choose from in this state: another command is drawn.
      }
      draws.drop(to: checkpoint)
    }
    return nil
  }

  private func candidate(
    _ draws: inout Draws, after model: Model, number: Int, _ kinds: [UInt64]
  ) throws -> any Step<Model, System> {
    try draws.open(SpanKind.choice.label((any Step<Model, System>).self))
    let last = UInt64(commands.count - 1)
    let domain = TapeEntry(tag: .branch, value: 0, lower: 0, upper: last, target: 0)
    let kind = try draws.choose(domain) { draws in
      if kinds.isEmpty { return UInt64(draws.words.below(UInt32(commands.count))) }
      return kinds[Int(draws.words.below(UInt32(kinds.count)))]
    }
    let step = try commands[Int(kind)].draw(&draws, after: model, number: number)
    try draws.close()
    return step
  }

  /// Which kinds of commands a random program uses: all in half of the programs, a random half of them in the others.
  ///
  /// A fault that needs many of one kind and none of another is rare when every program has all.
  /// Source: Groce et al., "Swarm testing", ISSTA 2012.
  private func mix(_ draws: inout Draws) -> [UInt64] {
    let all = (0..<UInt64(commands.count)).map { $0 }
    if draws.words.next() & 1 == 0 { return all }
    let some = all.filter { _ in draws.words.next() & 1 == 0 }
    return some.isEmpty ? all : some
  }
}

extension StateMachine {
  /// Programs for `execute`, drawn from the model alone: every command's precondition holds where it stands.
  public func programs() -> Gen<Program<Model, System>> {
    let drawing = ProgramDrawing(self, length: length)
    let initial = initial
    return Gen(node: { draws in
      var model = initial
      return Program(steps: try drawing.draw(&draws, &model, first: 0))
    })
  }
}
