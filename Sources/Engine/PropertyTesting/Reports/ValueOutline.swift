// SPDX-License-Identifier: GPL-3.0-or-later

/// A value as it is shown: a text, or parts in brackets.
indirect enum ValueOutline: Sendable, Hashable {
  /// What has no parts, or describes itself.
  case leaf(String)
  /// What has parts.
  case group(opening: String, parts: [Part], closing: String)

  /// A part of a value.
  struct Part: Sendable, Hashable {
    /// What is shown before it, such as `name: `; empty for the elements of an array.
    let label: String
    /// How it is reached, such as `.name` or `[0]`.
    let path: String
    let value: ValueOutline
  }

  /// The parts shown of one value: more would hide what matters.
  static let mostParts = 1000
  /// How many parts inside each other are shown; classes may contain themselves.
  static let mostLevels = 24

  /// How a part of this value differs from the one that stands in its place in another value.
  ///
  /// - Returns: How the smallest part is reached that holds all differences, empty for the whole; nil for equal values.
  func difference(from other: ValueOutline) -> [String]? {
    if self == other { return nil }
    guard case .group(let opening, let parts, let closing) = self,
      case .group(opening, let others, closing) = other, parts.count == others.count
    else { return [] }
    let changed = parts.indices.filter { parts[$0] != others[$0] }
    guard changed.count == 1, parts[changed[0]].path == others[changed[0]].path else { return [] }
    let inner = parts[changed[0]].value.difference(from: others[changed[0]].value) ?? []
    return [parts[changed[0]].path] + inner
  }
}

extension ValueOutline {
  /// The outline in Swift's own notation, without the names of modules.
  ///
  /// - Parameters:
  ///   - width: What fits into so many columns stays on one line; else every part has a line of its own.
  ///   - indent: Columns already taken on the left.
  /// - Returns: One or more lines, without a line end behind the last.
  func text(width: Int = 80, indent: Int = 0) -> String {
    guard case .group(let opening, let parts, let closing) = self else { return line }
    let line = line
    if parts.isEmpty || line.count + indent <= width { return line }
    let margin = String(repeating: " ", count: indent)
    let body = parts.map { "\(margin)  \($0.label)\($0.value.text(width: width, indent: indent + 2))" }
    return "\(opening)\n\(body.joined(separator: ",\n"))\n\(margin)\(closing)"
  }

  /// The outline on one line.
  private var line: String {
    switch self {
    case .leaf(let text): text
    case .group(let opening, let parts, let closing):
      opening + parts.map { $0.label + $0.value.line }.joined(separator: ", ") + closing
    }
  }
}
