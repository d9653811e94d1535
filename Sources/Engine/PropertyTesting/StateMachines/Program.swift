// SPDX-License-Identifier: GPL-3.0-or-later

/// Commands to be run one after the other. It prints as the code that would do the same.
public struct Program<Model: Sendable, System>: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  let steps: [any Step<Model, System>]

  /// How many commands it has.
  public var count: Int { steps.count }
  /// One line for each command, such as `let v0 = create(capacity: 2)` and `v0.enqueue(1)`.
  public var lines: [String] { steps.map(\.description) }
  /// The commands, one on each line.
  public var description: String { steps.isEmpty ? "(no commands)" : lines.joined(separator: "\n") }
  /// The commands, one on each line.
  public var debugDescription: String { description }
}
