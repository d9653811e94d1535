// SPDX-License-Identifier: GPL-3.0-or-later

/// The displayed form of a value: a text, or parts in brackets.
indirect enum ValueOutline: Sendable, Hashable {
  case leaf(String)
  case group(opening: String, parts: [Part], closing: String)

  struct Part: Sendable, Hashable {
    /// The text before it, such as `name: `; empty for the elements of an array.
    let label: String
    /// The access path, such as `.name` or `[0]`.
    let path: String
    let value: ValueOutline
  }

  /// The largest number of displayed parts of one value.
  static let mostParts = 1000
  /// The largest displayed nesting; classes may contain themselves.
  static let mostLevels = 24

  /// The path to the smallest part that contains all differences from another value; `nil` if the values are equal.
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

  /// The outline in Swift's own notation, without the names of modules.
  func text(width: Int = 80, indent: Int = 0) -> String {
    guard case .group(let opening, let parts, let closing) = self else { return line }
    let line = line
    if parts.isEmpty || line.count + indent <= width { return line }
    let margin = String(repeating: " ", count: indent)
    let body = parts.map { "\(margin)  \($0.label)\($0.value.text(width: width, indent: indent + 2))" }
    return "\(opening)\n\(body.joined(separator: ",\n"))\n\(margin)\(closing)"
  }

  private var line: String {
    switch self {
    case .leaf(let text): text
    case .group(let opening, let parts, let closing):
      opening + parts.map { $0.label + $0.value.line }.joined(separator: ", ") + closing
    }
  }
}

extension ValueOutline {
  /// The outline of any value.
  ///
  /// Collections, tuples and optionals show their parts; other types with a description show it; all others show their
  /// stored properties.
  init(_ value: Any) {
    self.init(value, levels: Self.mostLevels)
  }

  private init(_ value: Any, levels: Int) {
    if let text = Self.literal(value) {
      self = .leaf(text)
      return
    }
    let mirror = Mirror(reflecting: value)
    guard levels > 0 else {
      self = .leaf("…")
      return
    }
    switch mirror.displayStyle {
    case .optional: self = mirror.children.first.map { Self($0.value, levels: levels) } ?? .leaf("nil")
    case .collection: self = .list("[", mirror, levels)
    case .set: self = .set(mirror, levels)
    case .dictionary: self = .dictionary(mirror, levels)
    case .tuple: self = .fields("(", mirror, levels)
    default:
      if let text = Self.ownDescription(value) {
        self = .leaf(text)
      } else if mirror.displayStyle == .enum {
        self = .alternative(value, mirror, levels)
      } else {
        self = .fields("\(Self.name(of: value))(", mirror, levels)
      }
    }
  }

  // MARK: Leaves

  private static func literal(_ value: Any) -> String? {
    switch value {
    case let text as String: ReadableText.quoted(text)
    case let text as Substring: ReadableText.quoted(String(text))
    case let character as Character: ReadableText.quoted(String(character))
    case let scalar as Unicode.Scalar: ReadableText.quoted(String(scalar))
    default: nil
    }
  }

  private static func ownDescription(_ value: Any) -> String? {
    let text =
      (value as? any CustomStringConvertible)?.description
      ?? (value as? any CustomDebugStringConvertible)?.debugDescription
    guard let text, !text.isEmpty else { return nil }
    return ReadableText.visible(text)
  }

  private static func name(of value: Any) -> String { String(describing: type(of: value)) }

  // MARK: Groups

  private static func list(_ opening: String, _ mirror: Mirror, _ levels: Int) -> ValueOutline {
    let parts = mirror.children.prefix(mostParts).enumerated().map { index, child in
      Part(label: "", path: "[\(index)]", value: Self(child.value, levels: levels - 1))
    }
    return .group(opening: opening, parts: parts + rest(mirror), closing: "]")
  }

  /// The elements sorted by their text, because the order of a set differs from run to run.
  private static func set(_ mirror: Mirror, _ levels: Int) -> ValueOutline {
    let elements = mirror.children.prefix(mostParts).map { Self($0.value, levels: levels - 1) }
    let sorted = elements.map { (text: $0.text(width: .max), value: $0) }.sorted { $0.text < $1.text }
    return .group(
      opening: "Set([", parts: sorted.map { Part(label: "", path: "[\($0.text)]", value: $0.value) } + rest(mirror),
      closing: "])")
  }

  private static func dictionary(_ mirror: Mirror, _ levels: Int) -> ValueOutline {
    let pairs = mirror.children.prefix(mostParts).map { child in
      let pair = Array(Mirror(reflecting: child.value).children)
      let key = pair.first.map { Self($0.value, levels: levels - 1).text(width: .max) } ?? ""
      return (key: key, value: pair.last.map { Self($0.value, levels: levels - 1) } ?? .leaf(""))
    }
    let parts = pairs.sorted { $0.key < $1.key }
      .map { Part(label: "\($0.key): ", path: "[\($0.key)]", value: $0.value) }
    return .group(opening: parts.isEmpty ? "[:" : "[", parts: parts + rest(mirror), closing: "]")
  }

  /// The stored properties of a value, beginning with those of its superclasses, or the parts of a tuple.
  private static func fields(_ opening: String, _ mirror: Mirror, _ levels: Int) -> ValueOutline {
    let inherited = sequence(first: mirror, next: \.superclassMirror).reversed().flatMap { Array($0.children) }
    let parts = inherited.prefix(mostParts).enumerated().map { index, child in
      let name = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
      return Part(
        label: name.map { "\($0): " } ?? "", path: ".\(name ?? "\(index)")",
        value: Self(child.value, levels: levels - 1))
    }
    return .group(opening: opening, parts: parts, closing: ")")
  }

  private static func alternative(_ value: Any, _ mirror: Mirror, _ levels: Int) -> ValueOutline {
    guard let child = mirror.children.first, let name = child.label else { return .leaf(".\(value)") }
    let payload = Mirror(reflecting: child.value)
    if payload.displayStyle == .tuple { return fields(".\(name)(", payload, levels) }
    let part = Part(label: "", path: ".\(name)", value: Self(child.value, levels: levels - 1))
    return .group(opening: ".\(name)(", parts: [part], closing: ")")
  }

  private static func rest(_ mirror: Mirror) -> [Part] {
    let left = mirror.children.count - mostParts
    return left > 0 ? [Part(label: "", path: "", value: .leaf("… \(left) more"))] : []
  }
}
