// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// The displayed form of a value: a text, or parts in brackets.
indirect enum ValueOutline: Sendable, Hashable {
  case leaf(String)
  case group(opening: String, parts: [Member], closing: String)

  struct Member: Sendable, Hashable {
    /// The text before it, such as `name: `; empty for the elements of an array.
    let label: String
    /// The access path, such as `.name` or `[0]`.
    let path: String
    let value: ValueOutline
  }

  /// The largest number of displayed parts of one value.
  static let maxParts = 1000
  /// The largest displayed nesting; classes may contain themselves.
  static let maxLevels = 24
  /// The largest displayed nesting below a value with its own description.
  private static let levelsBelowDescription = 4
  /// The largest number of equal consecutive elements that are displayed one by one.
  private static let maxRepetitions = 20

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
    let body = Self.lines(of: parts) { "\(margin)  \($0)\($1.text(width: width, indent: indent + 2))" }
    return "\(opening)\n\(body.joined(separator: ",\n"))\n\(margin)\(closing)"
  }

  private var line: String {
    switch self {
    case .leaf(let text): text
    case .group(let opening, let parts, let closing):
      opening + Self.lines(of: parts) { $0 + $1.line }.joined(separator: ", ") + closing
    }
  }

  /// The texts of parts from their labels and values; many equal elements in a row are one, such as `101 × 0`.
  private static func lines(of parts: [Member], _ text: (_ label: String, ValueOutline) -> String) -> [String] {
    var lines: [String] = []
    var rest = parts[...]
    while let first = rest.first {
      let count = first.label.isEmpty ? rest.prefix { $0.label.isEmpty && $0.value == first.value }.count : 1
      let isRun = count > maxRepetitions
      lines.append(text(isRun ? "\(count) × " : first.label, first.value))
      rest = rest.dropFirst(isRun ? count : 1)
    }
    return lines
  }
}

extension ValueOutline {
  /// The outline of any value.
  ///
  /// Collections, tuples and optionals show their parts; other types with a description show it; all others show their
  /// stored properties.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - showsParts: Whether a type's own description is followed by its stored properties, because different values
  ///     may have the same description: `€123 = Money(cents: 12345)`.
  init(_ value: Any, showsParts: Bool = false) {
    self.init(value, showsParts, levels: Self.maxLevels)
  }

  private init(_ value: Any, _ showsParts: Bool, levels: Int) {
    if let data = value as? Data {
      self = .bytes(data)
      return
    }
    if let text = Self.literal(value) {
      self = .leaf(text)
      return
    }
    let mirror = Mirror(reflecting: value)
    guard levels > 0 else {
      self = .leaf("…")
      return
    }
    let inner = Inner(showsParts: showsParts, levels: levels - 1)
    switch mirror.displayStyle {
    case .optional: self = mirror.children.first.map { .some($0.value, inner) } ?? .leaf("nil")
    case .collection: self = .list("[", mirror, inner)
    case .set: self = .set(mirror, inner)
    case .dictionary: self = .dictionary(mirror, inner)
    case .tuple: self = .fields("(", mirror, inner)
    default:
      guard let text = Self.ownDescription(value) else {
        self = .parts(of: value, mirror, inner)
        return
      }
      guard showsParts, !Self.isComplete(value, mirror) else {
        self = .leaf(text)
        return
      }
      let few = Inner(showsParts: true, levels: min(levels - 1, Self.levelsBelowDescription))
      guard case .group(let opening, let parts, let closing) = Self.parts(of: value, mirror, few) else {
        self = .leaf(text)
        return
      }
      self = .group(opening: "\(text) = \(opening)", parts: parts, closing: closing)
    }
  }

  /// How the parts of a value are displayed.
  private struct Inner {
    let showsParts: Bool
    let levels: Int

    func outline(_ value: Any) -> ValueOutline { ValueOutline(value, showsParts, levels: levels) }
  }

  // MARK: Leaves

  private static func literal(_ value: Any) -> String? {
    switch value {
    case let text as String: ReadableText.quoted(text)
    case let text as Substring: ReadableText.quoted(String(text))
    case let character as Character: ReadableText.quoted(String(character))
    case let scalar as Unicode.Scalar: ReadableText.quoted(String(scalar))
    case let date as Date: literal(date)
    case let id as UUID: "UUID(uuidString: \"\(id)\")!"
    case let url as URL where url.baseURL == nil: "URL(string: \(ReadableText.quoted(url.absoluteString)))!"
    case let number as Double where !number.isFinite: special(number)
    case let number as Float where !number.isFinite: special(Double(number))
    default: nil
    }
  }

  /// A date with its fraction of a second: an expression, with the time in UTC in a comment.
  private static func literal(_ date: Date) -> String {
    func seconds(_ interval: TimeInterval) -> String { Int(exactly: interval).map(String.init) ?? "\(interval)" }
    let interval = date.timeIntervalSince1970
    guard Date(timeIntervalSince1970: interval) == date, abs(interval) < 1e14 else {
      return "Date(timeIntervalSinceReferenceDate: \(seconds(date.timeIntervalSinceReferenceDate)))"
    }
    let whole = interval.rounded(.down)
    let millionths = Int((1e6 * (interval - whole)).rounded(.down))
    let digits = String(String(1_000_000 + millionths).dropFirst())
    let fraction = millionths == 0 ? "" : "." + digits.replacing(/0+$/, with: "")
    let time = Date(timeIntervalSince1970: whole).description.replacing(" +0000", with: "\(fraction) +0000")
    return "Date(timeIntervalSince1970: \(seconds(interval))) /* \(time) */"
  }

  private static func special(_ number: Double) -> String {
    number.isNaN ? ".nan" : number < 0 ? "-.infinity" : ".infinity"
  }

  private static func bytes(_ data: Data) -> ValueOutline {
    let parts = data.prefix(maxParts).enumerated().map { index, byte in
      Member(label: "", path: "[\(index)]", value: .leaf("\(byte)"))
    }
    return .group(opening: "Data([", parts: parts + rest(data.count), closing: "])")
  }

  /// Returns true if the description determines the value: that of a type of the standard library, of Foundation or of
  /// the engine, such as a program of commands, or one from which the value can be made.
  private static func isComplete(_ value: Any, _ mirror: Mirror) -> Bool {
    if value is any LosslessStringConvertible { return true }
    let name = String(reflecting: type(of: value))
    return ["Swift.", "Foundation.", "FoundationEssentials.", "PropertyTesting."].contains { name.hasPrefix($0) }
  }

  private static func ownDescription(_ value: Any) -> String? {
    let text =
      (value as? any CustomStringConvertible)?.description
      ?? (value as? any CustomDebugStringConvertible)?.debugDescription
    guard let text, !text.isEmpty else { return nil }
    return ReadableText.visible(text)
  }

  private static func name(of value: Any) -> String { String(describing: type(of: value)) }

  /// A wrapped value; an optional in it is marked, because `.some(nil)` is not `nil`.
  private static func some(_ value: Any, _ inner: Inner) -> ValueOutline {
    let outline = inner.outline(value)
    guard case .leaf(let text) = outline, text == "nil" || text.hasPrefix(".some("),
      Mirror(reflecting: value).displayStyle == .optional
    else { return outline }
    return .leaf(".some(\(text))")
  }

  /// The stored properties of a structure or a class, or the case of an enumeration with its payload.
  private static func parts(of value: Any, _ mirror: Mirror, _ inner: Inner) -> ValueOutline {
    if mirror.displayStyle == .enum { return alternative(value, mirror, inner) }
    // A function has neither properties nor a name.
    if mirror.displayStyle == nil, mirror.children.isEmpty { return .leaf("a value of type \(name(of: value))") }
    return fields("\(name(of: value))(", mirror, inner)
  }

  // MARK: Groups

  private static func list(_ opening: String, _ mirror: Mirror, _ inner: Inner) -> ValueOutline {
    let parts = mirror.children.prefix(maxParts).enumerated().map { index, child in
      Member(label: "", path: "[\(index)]", value: inner.outline(child.value))
    }
    return .group(opening: opening, parts: parts + rest(mirror.children.count), closing: "]")
  }

  /// The elements sorted by their text, because the order of a set differs from run to run.
  private static func set(_ mirror: Mirror, _ inner: Inner) -> ValueOutline {
    let elements = mirror.children.prefix(maxParts).map { inner.outline($0.value) }
    let sorted = elements.map { (text: $0.text(width: .max), value: $0) }.sorted { $0.text < $1.text }
    return .group(
      opening: "Set([",
      parts: sorted.map { Member(label: "", path: "[\($0.text)]", value: $0.value) } + rest(mirror.children.count),
      closing: "])")
  }

  private static func dictionary(_ mirror: Mirror, _ inner: Inner) -> ValueOutline {
    let pairs = mirror.children.prefix(maxParts).map { child in
      let pair = Array(Mirror(reflecting: child.value).children)
      let key = pair.first.map { inner.outline($0.value).text(width: .max) } ?? ""
      return (key: key, value: pair.last.map { inner.outline($0.value) } ?? .leaf(""))
    }
    let parts = pairs.sorted { $0.key < $1.key }
      .map { Member(label: "\($0.key): ", path: "[\($0.key)]", value: $0.value) }
    return .group(opening: parts.isEmpty ? "[:" : "[", parts: parts + rest(mirror.children.count), closing: "]")
  }

  /// The stored properties of a value, beginning with those of its superclasses, or the parts of a tuple.
  private static func fields(_ opening: String, _ mirror: Mirror, _ inner: Inner) -> ValueOutline {
    let inherited = sequence(first: mirror, next: \.superclassMirror).reversed().flatMap { Array($0.children) }
    let parts = inherited.prefix(maxParts).enumerated().map { index, child in
      let name = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
      return Member(
        label: name.map { "\($0): " } ?? "", path: ".\(name ?? "\(index)")",
        value: inner.outline(child.value))
    }
    return .group(opening: opening, parts: parts, closing: ")")
  }

  private static func alternative(_ value: Any, _ mirror: Mirror, _ inner: Inner) -> ValueOutline {
    guard let child = mirror.children.first, let name = child.label else { return .leaf(".\(value)") }
    let payload = Mirror(reflecting: child.value)
    if payload.displayStyle == .tuple { return fields(".\(name)(", payload, inner) }
    let part = Member(label: "", path: ".\(name)", value: inner.outline(child.value))
    return .group(opening: ".\(name)(", parts: [part], closing: ")")
  }

  private static func rest(_ count: Int) -> [Member] {
    let left = count - maxParts
    return left > 0 ? [Member(label: "", path: "", value: .leaf("… \(left) more"))] : []
  }
}
