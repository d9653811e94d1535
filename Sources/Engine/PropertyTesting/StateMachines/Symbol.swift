// SPDX-License-Identifier: GPL-3.0-or-later
internal import Synchronization

/// What a command of a program returned, before the program has run: the model and later commands refer to it by this.
///
/// It is the number of the command that makes the value. While a program runs, `value` is what the command returned.
public struct Symbol<Value: Sendable>: Sendable, Hashable, Comparable, CustomStringConvertible,
  CustomDebugStringConvertible
{
  /// The number of the command, from 0, in the order in which the program is printed.
  public let step: Int

  init(step: Int) {
    self.step = step
  }

  /// What the command returned.
  ///
  /// - Throws: `SymbolError` when no program is running in this task, or when the command has not returned in it.
  public var value: Value {
    get throws {
      guard let table = SymbolTable.current else { throw SymbolError.notRunning(symbol: description) }
      guard let value = table[step] as? Value else { throw SymbolError.unbound(symbol: description) }
      return value
    }
  }

  /// The name that a printed program gives to the value, such as `v0`.
  public var description: String { "v\(step)" }
  /// The name that a printed program gives to the value, such as `v0`.
  public var debugDescription: String { description }

  /// Symbols are ordered as the commands that make them.
  public static func < (left: Symbol, right: Symbol) -> Bool { left.step < right.step }
}

/// Why a symbol has no value.
public enum SymbolError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value was asked for outside of a command's `run`.
  case notRunning(symbol: String)
  /// The command that the symbol stands for has not returned in this run.
  case unbound(symbol: String)

  /// What is wrong, and how to mend it.
  public var description: String {
    switch self {
    case .notRunning(let symbol):
      "\(symbol) has no value outside of a running program: ask for it in a command's run, in the same task"
    case .unbound(let symbol):
      "\(symbol) has no value yet: the command that makes it has not returned; keep only symbols of the model"
    }
  }
}

/// What the commands of one run have returned so far, by the number of the command.
final class SymbolTable: Sendable {
  /// The table of the run to which this task belongs.
  @TaskLocal static var current: SymbolTable?

  private let values = Mutex<[Int: any Sendable]>([:])

  subscript(step: Int) -> (any Sendable)? {
    get { values.withLock { $0[step] } }
    set { values.withLock { $0[step] = newValue } }
  }
}

extension Gen {
  /// One of the values that earlier commands made. Counterexamples shrink towards the one made last.
  ///
  /// The choice is counted from the last, so that a reference keeps its meaning when earlier commands go away.
  ///
  /// - Parameter symbols: The symbols to choose from, in any order; when there is none, the command is not drawn.
  /// - Returns: A generator of one choice.
  public static func symbols<Made>(among symbols: some Sequence<Symbol<Made>>) -> Gen<Symbol<Made>>
  where Value == Symbol<Made> {
    Gen.elements(of: symbols.sorted(by: >))
  }
}
