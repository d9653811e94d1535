// SPDX-License-Identifier: GPL-3.0-or-later

/// How a command is written: its name, the labels of its arguments, and whether the first one stands before it.
///
/// The name is spelled as Swift spells functions: `create(capacity:)`, `enqueue`, and `.enqueue` for `v0.enqueue(1)`.
struct CommandSpelling: Sendable {
  private let name: String
  private let labels: [String]
  private let hasReceiver: Bool

  init(_ spelling: String) {
    let parts = spelling.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
    let base = parts.first.map(String.init) ?? ""
    hasReceiver = base.hasPrefix(".")
    name = hasReceiver ? String(base.dropFirst()) : base
    labels = parts.count > 1 ? parts[1].split(separator: ":").map(String.init).filter { $0 != ")" } : []
  }

  /// The call with its arguments.
  func call(_ arguments: [String]) -> String {
    let receiver = hasReceiver && !arguments.isEmpty ? "\(arguments[0])." : ""
    let listed = receiver.isEmpty ? arguments[...] : arguments.dropFirst()
    let written = listed.enumerated().map { index, argument in
      index < labels.count && labels[index] != "_" ? "\(labels[index]): \(argument)" : argument
    }
    return "\(receiver)\(name)(\(written.joined(separator: ", ")))"
  }

  /// A value as Swift would write it; what an optional holds is written without its wrapping.
  static func value(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return String(reflecting: value) }
    return mirror.children.first.map { Self.value($0.value) } ?? "nil"
  }
}
