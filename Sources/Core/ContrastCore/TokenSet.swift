// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

/// A colour token, resolved.
public struct ColourToken: Hashable, Sendable {
  /// The names of the groups and of the token, joined by points; a group's own token ends with `$root`.
  public let path: String
  /// The colour in sRGB; out of gamut if the token's space is wider.
  public let colour: Colour
  /// The file of its value.
  public let file: String
  /// The line of its value, from 1.
  public let line: Int
  /// True if the token, or a group that it is in, is marked `$deprecated`.
  public let isDeprecated: Bool
  /// Warnings: a `hex` that differs from the components, a `modify` that was not applied, a colour out of gamut, a hue
  /// out of range, tokens beside a value.
  public let warnings: [String]
  /// The bytes of its value in its file, which a correction replaces.
  let bytes: Range<Int>
  /// The bytes of the opacity that Tokens Studio writes beside the value, which a correction replaces by 1.
  let opacityBytes: Range<Int>?
  let form: Form
  /// The space of its value, which a correction keeps.
  let space: ColourSpace
  /// True if its type comes from the token that it names, so that its own value needs a type, too.
  let needsType: Bool

  /// The notation of a value.
  enum Form: Hashable, Sendable {
    /// `$value`.
    case value
    /// A `$ref` pointer instead of `$value`.
    case pointer
    /// A text: `value`, from before the format was specified, or the value of a mode.
    case text
  }
}

/// A token without a colour that can be checked.
public struct LeftOutToken: Hashable, Sendable {
  /// The names of the groups and of the token, joined by points.
  public let path: String
  /// The file of the token.
  public let file: String
  /// The line of its value, from 1.
  public let line: Int
  /// The value that is not read, such as a gradient, or the token's type.
  public let reason: String
  /// True if it is a colour, or something else such as a spacing.
  public let isColour: Bool
}

/// The colour tokens of one theme: of a design tokens file, or of a resolver file with one choice of its modifiers.
///
/// Reads the Design Tokens Format 2025.10 (`$value`, `$type` of the token or the nearest group, aliases `{a.b}`, `$ref`
/// pointers, `$root`, `$extends`, `$deprecated`), and the older forms of Style Dictionary and Tokens Studio (`value`,
/// `type`, `{a.b.value}`, `rgba({a.b}, 0.5)`, values by mode). Tokens of other types are left out.
public struct TokenSet: Sendable {
  /// The theme's name: the contexts of the modifiers, joined by commas; empty for a plain file.
  public let theme: String
  /// The tokens in the document's order.
  public let tokens: [ColourToken]
  /// Errors in single tokens, in the document's order; `tokens` does not contain these tokens.
  public let problems: [ContrastError]
  /// Tokens that are left out: of another type, or colours whose value is not read, such as gradients.
  public let leftOut: [LeftOutToken]

  init(theme: String, _ resolver: TokenResolver) {
    self.theme = theme
    (tokens, problems, leftOut) = resolver.resolved()
  }
}

/// Follows aliases, pointers and extensions in one tree of tokens.
struct TokenResolver {
  private let root: JSONNode
  private let files: [String]
  /// The types at the roots of the files, by their index; they hold for the tokens of their file.
  private let rootTypes: [Int: String]
  /// The mode whose values count where a token has several.
  private let mode: String?
  private let isLegacy: Bool
  private var found: [Found] = []
  /// The indices in `found`, by the path.
  private var positions: [String: Int] = [:]
  private var problems: [ContrastError] = []
  /// Colours in the older form in a file of the newer one.
  private var older: [LeftOutToken] = []
  /// More tokens than this come only from extensions of extensions.
  private static let maxTokens = 50_000
  /// The longest chain of aliases. Each of its tokens follows it to the end; the bound keeps the work linear.
  private static let longestChain = 100

  /// - Throws: `ContrastError` for more than 50,000 tokens, and for a file without any.
  init(
    _ root: JSONNode, files: [String], rootTypes: [Int: String] = [:], mode: String? = nil
  ) throws(ContrastError) {
    (self.root, self.files, self.rootTypes, self.mode) = (root, files, rootTypes, mode)
    isLegacy = !Self.has("$value", in: root) && Self.has("value", in: root)
    try collect(root, [], type: nil, isDeprecated: false)
    for (position, one) in found.enumerated() { positions[one.name] = position }
  }

  private static func has(_ key: String, in node: JSONNode) -> Bool {
    node.members.contains { $0.name == key || has(key, in: $0.value) }
  }

  /// A token before its colour is resolved.
  private struct Found {
    let path: [String]
    let node: JSONNode
    /// The type of the nearest group that states one.
    let inheritedType: String?
    let isDeprecated: Bool
    let hasChildren: Bool

    var name: String { path.joined(separator: ".") }
  }

  var isEmpty: Bool { found.isEmpty && problems.isEmpty }

  func resolved() -> ([ColourToken], [ContrastError], [LeftOutToken]) {
    var (tokens, problems, leftOut) = ([ColourToken](), problems, older)
    func leave(_ one: Found, _ reason: String, isColour: Bool) {
      let node = value(of: one.node) ?? one.node
      leftOut.append(
        LeftOutToken(path: one.name, file: files[node.document], line: node.line, reason: reason, isColour: isColour))
    }
    for one in found {
      do throws(ContrastError) {
        switch try resolve(one) {
        case .colour(let token): tokens.append(token)
        case .other(let type): leave(one, type, isColour: false)
        }
      } catch {
        if error.isUnread {
          leave(one, error.found, isColour: true)
        } else if let type = one.inheritedType, type != "color" {
          leave(one, "of type \(type)", isColour: false)
        } else {
          problems.append(error)
        }
      }
    }
    return (tokens, problems, leftOut)
  }

  private var valueKey: String { isLegacy ? "value" : "$value" }
  private var typeKey: String { isLegacy ? "type" : "$type" }

  // MARK: Modes

  /// The names of the modes in which a colour has a value, in the document's order.
  var modes: [String] {
    var (names, known): ([String], Set<String>) = ([], [])
    for one in found {
      let values = modeValues(of: one.node)
      guard one.node[typeKey]?.string ?? one.inheritedType == "color" || values.contains(where: { Self.isColour($1) })
      else { continue }
      for (name, _) in values where known.insert(name).inserted { names.append(name) }
    }
    return names
  }

  private static func isColour(_ value: JSONNode) -> Bool {
    value["colorSpace"] != nil || value.string.flatMap(Colour.init(css:)) != nil
  }

  /// The values of a token by mode: in `sets`, as Spectrum has them, or in `$extensions`, as exports of Figma have.
  private func modeValues(of node: JSONNode) -> [(name: String, value: JSONNode)] {
    if node["$value"] == nil, let sets = node["sets"]?.members, !sets.isEmpty {
      let values = sets.compactMap { name, set in set["value"].map { (name: name, value: $0) } }
      return values.count == sets.count ? values : []
    }
    let extensions = node["$extensions"]
    let modes =
      extensions?["mode"] ?? extensions?["modes"] ?? extensions?["com.figma"]?["modes"]
      ?? extensions?["com.figma.modes"]
    return (modes?.members ?? []).compactMap { name, value in
      let value = value["$value"] ?? value
      return value.string != nil || value["colorSpace"] != nil ? (name, value) : nil
    }
  }

  /// The token's value: in the mode, if it has one there.
  private func value(of node: JSONNode) -> JSONNode? {
    if mode != nil || node[valueKey] == nil {
      let values = modeValues(of: node)
      if let own = values.first(where: { $0.name == mode }) { return own.value }
      return node[valueKey] ?? values.first?.value
    }
    return node[valueKey]
  }

  // MARK: Tokens and groups

  private func isToken(_ node: JSONNode) -> Bool {
    if node[valueKey] != nil || isLegacy && !modeValues(of: node).isEmpty { return true }
    guard !isLegacy, let text = node["$ref"]?.string else { return false }
    return !isGroup(text)
  }

  /// Returns true if a pointer names a group: `$ref` is then the same as `$extends`.
  private func isGroup(_ text: String, depth: Int = 0) -> Bool {
    guard let names = pointer(text), !names.contains(valueKey), let target = plainNode(at: names) else { return false }
    if target[valueKey] != nil || target["colorSpace"] != nil { return false }
    if let next = target["$ref"]?.string { return depth < 20 && isGroup(next, depth: depth + 1) }
    return target.members.contains { ($0.name == "$root" || !$0.name.hasPrefix("$")) && $0.value.isObject }
  }

  private func plainNode(at names: [String]) -> JSONNode? {
    var node: JSONNode? = root
    for name in names { node = node?[name] }
    return node
  }

  private mutating func collect(
    _ node: JSONNode, _ path: [String], type: String?, isDeprecated: Bool
  ) throws(ContrastError) {
    guard node.isObject, path.count < 100 else { return }
    let isDeprecated = Self.deprecated(node) ?? isDeprecated
    if !path.isEmpty, isToken(node) {
      guard found.count < Self.maxTokens else {
        throw error(node, path, "more than \(Self.maxTokens) tokens", "fewer, or groups that extend fewer others")
      }
      // Tokens beside a value are against the format, but exports have them: they are checked, with a warning.
      let children = node.members.filter { name, child in
        !name.hasPrefix("$") && !(isLegacy && Self.partsOfOlder.contains(name)) && Self.has(valueKey, in: child)
      }
      found.append(
        Found(
          path: path, node: node, inheritedType: type ?? rootTypes[node.document], isDeprecated: isDeprecated,
          hasChildren: !children.isEmpty))
      for (name, child) in children {
        try collect(child, path + [name], type: node[typeKey]?.string ?? type, isDeprecated: isDeprecated)
      }
      return
    }
    if !isLegacy, node["type"]?.string == "color", let value = node["value"],
      value.string != nil || value["colorSpace"] != nil
    {
      older.append(
        LeftOutToken(
          path: path.joined(separator: "."), file: files[value.document], line: value.line,
          reason: "'value' in a file with '$value'", isColour: true))
    }
    let members: [(name: String, value: JSONNode)]
    do throws(ContrastError) {
      members = try self.members(of: node, path)
    } catch {
      return problems.append(error)
    }
    // An extended group passes on its type, too.
    let type = members.first { $0.name == typeKey }?.value.string ?? type
    for (name, child) in members where !name.hasPrefix("$") || name == "$root" {
      try collect(child, path + [name], type: type, isDeprecated: isDeprecated)
    }
  }

  /// The members of a token of the older forms that are no tokens beside it, though they may hold values.
  private static let partsOfOlder: Set = ["value", "modify", "original", "sets", "extensions", "attributes"]

  private static func deprecated(_ node: JSONNode) -> Bool? {
    switch node["$deprecated"]?.value {
    case .bool(let flag): flag
    case .string: true
    default: nil
    }
  }

  /// The members of a node; for a group with the members of the groups that it extends, its own taking precedence.
  private func members(
    of node: JSONNode, _ path: [String], extending: [String] = []
  ) throws(ContrastError) -> [(name: String, value: JSONNode)] {
    let own = node["$ref"].flatMap { reference in reference.string.map { isGroup($0) } == true ? reference : nil }
    guard let base = node["$extends"] ?? own else { return node.members }
    let chain = extending + [path.joined(separator: ".")]
    if let start = chain.dropLast().firstIndex(of: chain[chain.count - 1]) {
      throw error(
        base, path, "a cycle of extensions: \(chain[start...].joined(separator: " -> "))",
        "groups that do not extend each other")
    }
    let text = base.string ?? base["$ref"]?.string ?? ""
    guard let names = reference(text) ?? pointer(text), let group = try self.node(at: names, extending: chain),
      !isToken(group)
    else { throw error(base, path, base["$ref"]?.found ?? base.found, "the name of a group, such as {button}") }
    return group.with(try members(of: group, names, extending: chain))
      .merged(with: node.with(node.members.filter { $0.name != "$extends" && $0.name != "$ref" })).members
  }

  /// The node at a path, through extended groups, lists, and tokens that are aliases.
  private func node(at names: [String], extending: [String] = []) throws(ContrastError) -> JSONNode? {
    var node = root
    for (position, name) in names.enumerated() {
      if let alias = node.string.flatMap(reference), let other = aliased(alias) { node = other }
      let members = try members(of: node, Array(names[..<position]), extending: extending)
      let elements = node.elements
      guard
        let next = members.first(where: { $0.name == name })?.value
          ?? Int(name).flatMap({ elements.indices.contains($0) ? elements[$0] : nil })
      else { return nil }
      node = next
    }
    return node
  }

  /// The value of a token at the end of a chain of aliases.
  private func aliased(_ names: [String]) -> JSONNode? {
    var names = names
    for _ in 0..<Self.longestChain {
      guard let position = positions[names.joined(separator: ".")], let value = value(of: found[position].node) else {
        return nil
      }
      guard let next = value.string.flatMap(reference) else { return value }
      names = next
    }
    return nil
  }

  /// The names in `{a.b}`; in older files `value` may follow them.
  private func reference(_ text: String) -> [String]? {
    guard text.hasPrefix("{"), text.hasSuffix("}"), text.count > 2, !text.dropFirst().contains("{") else { return nil }
    var names = text.dropFirst().dropLast().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if isLegacy, names.last == "value" { names.removeLast() }
    return names
  }

  /// The names in a JSON pointer of this document: RFC 6901.
  private func pointer(_ text: String) -> [String]? {
    TokenThemes.pointer(text)
  }

  private func error(
    _ node: JSONNode, _ path: [String], _ found: String, _ expected: String, isUnread: Bool = false
  ) -> ContrastError {
    ContrastError(
      file: files[node.document], line: node.line, path: path.joined(separator: "."), found: found, expected: expected,
      isUnread: isUnread)
  }

  // MARK: Values

  private enum Resolved {
    case colour(ColourToken)
    /// A token of another type.
    case other(String)
  }

  private func resolve(_ found: Found) throws(ContrastError) -> Resolved {
    // What another type of token holds is no matter here.
    if let type = found.node[typeKey]?.string, type != "color" { return .other("of type \(type)") }
    let end = try end(of: found)
    // Older files imply a type by their folder, or have none.
    let isColour = end.value.string.map { Colour(css: $0) != nil || isComposed($0) } == true
    let guess = isLegacy ? isColour ? "color" : "" : nil
    guard let type = end.type ?? guess else {
      throw error(found.node, found.path, "no type", "\"\(typeKey)\": \"color\" here or in a group around it")
    }
    guard type == "color" else { return .other(type.isEmpty ? end.value.found : "of type \(type)") }
    var (colour, space, warnings) = try colour(end.value, end.path)
    for node in end.nodes.reversed() { try modify(&colour, by: node, found.path, &warnings) }
    if !colour.isInGamut { warnings.append("outside sRGB; treated as \(colour.mapped.hex), the nearest colour in it") }
    if found.hasChildren {
      warnings.append(
        "has tokens beside its value, which \(isLegacy ? "not every tool reads" : "the format names $root then")")
    }
    let value = self.value(of: found.node) ?? found.node["$ref"] ?? found.node
    let isText = isLegacy || found.node[valueKey]?.bytes != value.bytes && value.string != nil
    let modifier = Self.modifier(of: found.node)
    let isPointer = found.node[valueKey] == nil && found.node["$ref"]?.bytes == value.bytes
    return .colour(
      ColourToken(
        path: found.name, colour: colour, file: files[value.document], line: value.line,
        isDeprecated: found.isDeprecated, warnings: warnings, bytes: value.bytes,
        opacityBytes: modifier?["type"]?.string == "alpha" ? modifier?["value"]?.bytes : nil,
        form: isPointer ? .pointer : isText ? .text : .value, space: space,
        needsType: !isLegacy && found.node[typeKey] == nil && found.inheritedType != "color"))
  }

  private struct End {
    let value: JSONNode
    let path: [String]
    /// The first type stated by a token of the chain, else the one inherited by the last token.
    let type: String?
    /// The tokens of the chain.
    let nodes: [JSONNode]
  }

  /// The end of a chain of aliases.
  private func end(of found: Found) throws(ContrastError) -> End {
    var (token, value, passed) = (found, self.value(of: found.node) ?? found.node, [String]())
    var nodes = [found.node]
    let own = value
    var seen: Set<String> = []
    var (stated, inherited) = (found.node[typeKey]?.string, found.inheritedType)
    while let text = value["$ref"]?.string ?? value.string, value.isObject || reference(text) != nil {
      guard var alias = value.isObject ? pointer(text) : reference(text) else {
        throw error(value, token.path, "'\(text)'", "the name of a token, such as {color.text}, or #/color/text")
      }
      passed.append(token.name)
      seen.insert(token.name)
      // A pointer to the whole value of a token is the same as an alias, and has its type.
      if alias.last == valueKey, positions[alias.dropLast().joined(separator: ".")] != nil { alias.removeLast() }
      if alias.contains(valueKey) {
        // A pointer into a token.
        guard let next = try node(at: alias), passed.count <= Self.longestChain else {
          throw error(value, token.path, "'\(text)', which does not exist", "a pointer to a value of this file")
        }
        value = next
        continue
      }
      let name = alias.joined(separator: ".")
      guard let position = positions[name] else {
        guard let group = try node(at: alias), group.isObject else {
          throw error(value, token.path, "'\(text)', which does not exist", "the name of a token of this file")
        }
        throw error(
          value, token.path, "a reference to a group, '\(name)'",
          "the name of a token" + (group["$root"] == nil ? "" : ", such as {\(name).$root}"))
      }
      if seen.contains(name), let start = passed.firstIndex(of: name) {
        let circle = (passed[start...] + [name]).joined(separator: " -> ")
        throw error(own, found.path, "a cycle of aliases: \(circle)", "a chain that ends at a colour")
      }
      guard passed.count <= Self.longestChain else {
        throw error(own, found.path, "more than \(Self.longestChain) aliases in a chain", "a shorter one")
      }
      token = self.found[position]
      nodes.append(token.node)
      value = self.value(of: token.node) ?? token.node
      stated = stated ?? token.node[typeKey]?.string
      inherited = token.inheritedType ?? inherited
    }
    return End(value: value, path: token.path, type: stated ?? inherited, nodes: nodes)
  }

  private static func modifier(of node: JSONNode) -> JSONNode? {
    node["$extensions"]?["studio.tokens"]?["modify"] ?? node["modify"]
  }

  /// Applies the modifier that Tokens Studio writes beside a value: an opacity; others are warned about.
  private func modify(
    _ colour: inout Colour, by node: JSONNode, _ path: [String], _ warnings: inout [String]
  ) throws(ContrastError) {
    guard let modifier = Self.modifier(of: node) else { return }
    let value = modifier["value"]
    let text = value?.number.map { "\($0)" } ?? value?.string ?? ""
    guard modifier["type"]?.string == "alpha", let alpha = Colour.number(try filled(text, node, path), hundred: 1)
    else { return warnings.append("its 'modify' is not applied") }
    colour.alpha = min(1, max(0, alpha))
  }

  /// A part of a colour, or the value that it points to.
  private func target(_ value: JSONNode, _ path: [String]) throws(ContrastError) -> JSONNode {
    var value = value
    for _ in 0..<20 {
      guard let text = value["$ref"]?.string else { return value }
      guard let names = pointer(text), let next = try node(at: names) else { break }
      value = next
    }
    throw error(
      value, path, value["$ref"]?.found ?? value.found,
      "a pointer to a number, such as #/a/$value/components/0, without a cycle")
  }

  /// The colour, the space that it is written in, and warnings about its notation.
  private func colour(
    _ given: JSONNode, _ path: [String], depth: Int = 0
  ) throws(ContrastError) -> (Colour, ColourSpace, warnings: [String]) {
    let value = try target(given, path)
    if let text = value.string {
      return (try colour(of: text, value, path, depth: depth), ColourSpace(css: text) ?? .srgb, [])
    }
    guard let name = try value["colorSpace"].map({ (node) throws(ContrastError) in try target(node, path) }) else {
      throw error(value, path, value.found, "a colour with colorSpace and components")
    }
    guard let space = name.string.flatMap(ColourSpace.init(rawValue:)) else {
      throw error(name, path, name.found, "one of \(ColourSpace.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let written = try value["components"].map { (node) throws(ContrastError) in try target(node, path) }
    guard let written, written.elements.count == 3 else {
      throw error(
        written ?? value, path, written.map { "\($0.elements.count) components" } ?? "no components",
        "three components")
    }
    var (components, warnings) = ([Double](), [String]())
    for (element, range) in zip(written.elements, space.plausible) {
      let component = try number(element, path)
      guard range.contains(component) else {
        throw error(
          element, path, "\(component)",
          "a component from \(range.lowerBound) to \(range.upperBound) in \(space.rawValue)")
      }
      if components.count == space.hueIndex, !(0..<360).contains(component) {
        warnings.append("its hue \(component) is outside 0 to 360, exclusive; read as the same angle within")
      }
      components.append(component)
    }
    let alpha = try value["alpha"].map { (node) throws(ContrastError) in try number(node, path) } ?? 1
    guard (0...1).contains(alpha) else {
      throw error(value["alpha"] ?? value, path, "\(alpha)", "an alpha from 0 to 1")
    }
    let colour = Colour(space, components, alpha: alpha)
    guard let written = try value["hex"].map({ (node) throws(ContrastError) in try target(node, path) }) else {
      return (colour, space, warnings)
    }
    guard let text = written.string, text.utf8.count == 7, text.hasPrefix("#"), let hex = Colour(css: text)?.hex else {
      throw error(written, path, written.found, "six hexadecimal digits behind #")
    }
    let mapped = colour.mapped
    if hex != Colour(red: mapped.red, green: mapped.green, blue: mapped.blue).hex {
      warnings.append("its hex \(hex) differs from its components, \(mapped.hex)")
    }
    return (colour, space, warnings)
  }

  // MARK: Texts

  /// The functions of CSS whose arguments are read.
  private static let functions = ["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color"]

  /// Returns true if a text is a function of CSS with a reference among its arguments.
  private func isComposed(_ text: String) -> Bool {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")"), text.contains("{") else { return false }
    return Self.functions.contains(text[..<open].lowercased())
  }

  /// A colour as CSS writes it, in which references may stand for a colour or for arguments.
  private func colour(
    of text: String, _ value: JSONNode, _ path: [String], depth: Int
  ) throws(ContrastError) -> Colour {
    if let colour = Colour(css: text) { return colour }
    let isFunction = text.contains("(") || text.contains("{")
    let name = text.prefix { $0 != "(" }.lowercased()
    let isKnown = Self.functions.contains(name) && !["from ", "calc(", "var("].contains { text.contains($0) }
    if isComposed(text) {
      guard depth < 20 else {
        throw error(value, path, value.found, "references to fewer than 20 colours in turn, without a cycle")
      }
      // A colour with another opacity.
      let inner = text.drop { $0 != "(" }.dropFirst().drop { $0 == " " }
      if let close = inner.firstIndex(of: "}"), let names = reference(String(inner[...close])) {
        let words = inner[inner.index(after: close)...].dropLast().split { " ,/".contains($0) }
        if words.count == 1, let position = positions[names.joined(separator: ".")] {
          let alpha = try filled(String(words[0]), value, path)
          if let alpha = Colour.number(alpha, hundred: 1) {
            let end = try end(of: found[position])
            var base = try colour(end.value, end.path, depth: depth + 1).0
            base.alpha = min(1, max(0, alpha))
            return base
          }
        }
      }
      if let colour = Colour(css: try filled(text, value, path)) { return colour }
    }
    guard isFunction, !isKnown || text.contains("{") else {
      throw error(value, path, value.found, "a colour such as #333333, or {the.name.of.a.token}")
    }
    throw error(value, path, value.found, "a colour", isUnread: true)
  }

  /// The text in which the value of each token stands in place of its reference.
  private func filled(_ text: String, _ value: JSONNode, _ path: [String]) throws(ContrastError) -> String {
    var (filled, rest) = ("", text[...])
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let names = reference(String(rest[open...close])) ?? []
      guard let end = aliased(names) else {
        throw error(
          value, path, "'\(rest[open...close])', which does not exist", "the name of a token of this file")
      }
      filled += rest[..<open]
      switch end.value {
      case .number(let number): filled += "\(number)"
      case .string(let string): filled += string
      default: break
      }
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }

  /// A component: a number, `none`, which counts as 0, or a pointer to one.
  private func number(_ given: JSONNode, _ path: [String]) throws(ContrastError) -> Double {
    let element = try target(given, path)
    if let number = element.number { return number }
    if element.string == "none" { return 0 }
    throw error(element, path, element.found, "a number, \"none\", or a $ref to a number")
  }
}
