// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A colour token, resolved.
public struct ColourToken: Hashable, Sendable {
  /// The names of the groups and of the token, joined by points; a group's own token ends with `$root`.
  public let path: String
  /// The colour, in sRGB; out of its gamut where the token's space is wider.
  public let colour: Colour
  /// Where it stands: the file and the line, from 1.
  public let file: String
  public let line: Int
  /// Whether the token, or a group that it is in, is marked `$deprecated`.
  public let isDeprecated: Bool
  /// What is doubtful: a `hex` that is another colour, a `modify` that was not applied. Empty where nothing is.
  public let warnings: [String]
  /// The bytes of its value in its file, for mending.
  let bytes: Range<Int>
  let isLegacy: Bool
}

/// The colour tokens of one theme: what a design tokens file, or a resolver file with one choice of its modifiers, says.
///
/// Reads the Design Tokens Format 2025.10 (`$value`, `$type` of the token or the nearest group, aliases `{a.b}`, `$ref`
/// pointers, `$root`, `$extends`, `$deprecated`), and the older forms of Style Dictionary and Tokens Studio (`value`,
/// `type`, `{a.b.value}`). Tokens of other types are left out.
public struct TokenSet: Sendable {
  /// The theme's name: the contexts of the modifiers, joined by commas; empty for a plain file.
  public let theme: String
  /// The tokens in the document's order.
  public let tokens: [ColourToken]
  /// What is wrong with single tokens, in the document's order; these are not among `tokens`.
  public let problems: [ContrastError]

  /// The token of a path.
  public subscript(path: String) -> ColourToken? { tokens.first { $0.path == path } }

  /// The themes of a file: one of a plain file, one for each choice of contexts of a resolver file.
  ///
  /// - Parameters:
  ///   - text: the file's content.
  ///   - file: its name in errors.
  ///   - load: the content of a file that a resolver names, relative to it; `nil` where there is none.
  /// - Throws: `ContrastError` for a document that is no JSON, and a resolver that cannot be followed.
  public static func themes(
    of text: String, file: String, load: @escaping (String) -> String? = { _ in nil }
  ) throws(ContrastError) -> [TokenSet] {
    let root = try TokenJSONReader.read(text, source: file)
    guard root.isObject else {
      throw ContrastError(file: file, line: root.line, path: "", found: root.found, expected: "an object of tokens")
    }
    guard root["resolutionOrder"] != nil else {
      return [TokenSet(theme: "", TokenResolver(root, files: [file]))]
    }
    return try TokenThemes(root, file: file, load: load).sets()
  }

  init(theme: String, _ resolver: TokenResolver) {
    self.theme = theme
    (tokens, problems) = resolver.resolved()
  }
}

/// Follows aliases, pointers and extensions in one tree of tokens.
struct TokenResolver {
  private let root: TokenJSON
  private let files: [String]
  private let isLegacy: Bool
  private var found: [Found] = []
  /// Places among those found, by the path.
  private var places: [String: Int] = [:]
  private var problems: [ContrastError] = []

  init(_ root: TokenJSON, files: [String]) {
    (self.root, self.files) = (root, files)
    isLegacy = !Self.has("$value", in: root) && Self.has("value", in: root)
    collect(root, [], type: nil, isDeprecated: false)
    for (place, one) in found.enumerated() { places[one.path.joined(separator: ".")] = place }
  }

  private static func has(_ key: String, in node: TokenJSON) -> Bool {
    node.members.contains { $0.name == key || has(key, in: $0.value) }
  }

  /// What is known of a token before its colour: its node and the types of its groups, the nearest last.
  private struct Found {
    let path: [String]
    let node: TokenJSON
    let type: String?
    let isDeprecated: Bool
  }

  func resolved() -> ([ColourToken], [ContrastError]) {
    var (tokens, problems) = ([ColourToken](), problems)
    for one in found {
      do throws(ContrastError) {
        if let token = try token(one) { tokens.append(token) }
      } catch {
        problems.append(error)
      }
    }
    return (tokens, problems)
  }

  private var valueKey: String { isLegacy ? "value" : "$value" }
  private var typeKey: String { isLegacy ? "type" : "$type" }

  private func isToken(_ node: TokenJSON) -> Bool {
    node[valueKey] != nil || (node["$ref"] != nil && !isLegacy)
  }

  private mutating func collect(_ node: TokenJSON, _ path: [String], type: String?, isDeprecated: Bool) {
    guard node.isObject, path.count < 100 else { return }
    let type = node[typeKey]?.string ?? type
    let isDeprecated = deprecated(node) ?? isDeprecated
    if isToken(node) {
      found.append(Found(path: path, node: node, type: type, isDeprecated: isDeprecated))
      return
    }
    do throws(ContrastError) {
      let members = try members(of: node, path)
      // An extended group lends its type, too.
      let inherited = members.first { $0.name == typeKey }?.value.string ?? type
      for (name, child) in members where !name.hasPrefix("$") || name == "$root" {
        collect(child, path + [name], type: inherited, isDeprecated: isDeprecated)
      }
    } catch {
      problems.append(error)
    }
  }

  private func deprecated(_ node: TokenJSON) -> Bool? {
    switch node["$deprecated"]?.value {
    case .bool(let flag): flag
    case .string: true
    default: nil
    }
  }

  /// The members of a group with those of the groups that it extends, its own before.
  private func members(
    of node: TokenJSON, _ path: [String], extending: [String] = []
  ) throws(ContrastError) -> [(name: String, value: TokenJSON)] {
    guard let base = node["$extends"] else { return node.members }
    let text = base.string ?? base["$ref"]?.string ?? ""
    let names = reference(text) ?? pointer(text)
    guard let names, let group = self.node(at: names), !isToken(group) else {
      throw error(base, path, found: base.found, expected: "the name of a group, such as {button}")
    }
    let name = names.joined(separator: ".")
    let circle = extending + [path.joined(separator: ".")]
    if circle.contains(name) {
      throw error(
        base, path, found: "a circle of extensions: \((circle + [name]).joined(separator: " -> "))",
        expected: "groups that do not extend each other")
    }
    let inherited = TokenJSON(
      value: .object(try members(of: group, names, extending: circle)), document: group.document, line: group.line,
      bytes: group.bytes)
    let own = TokenJSON(
      value: .object(node.members.filter { $0.name != "$extends" }), document: node.document, line: node.line,
      bytes: node.bytes)
    return inherited.merged(with: own).members
  }

  /// The node of a path, through the groups that its groups extend.
  private func node(at names: [String]) -> TokenJSON? {
    var (node, path) = (root, [String]())
    for name in names {
      guard let next = (try? members(of: node, path))?.first(where: { $0.name == name }) else {
        return Int(name).flatMap { node.elements.indices.contains($0) ? node.elements[$0] : nil }
      }
      node = next.value
      path.append(name)
    }
    return node
  }

  /// The names in `{a.b}`; older files may end them with `value`.
  private func reference(_ text: String) -> [String]? {
    guard text.hasPrefix("{"), text.hasSuffix("}"), text.count > 2 else { return nil }
    var names = text.dropFirst().dropLast().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if isLegacy, names.last == "value" { names.removeLast() }
    return names
  }

  /// The names in a JSON pointer of this document: RFC 6901.
  private func pointer(_ text: String) -> [String]? {
    guard text.hasPrefix("#/") else { return nil }
    return text.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }

  /// The element or member that a pointer leads to, through arrays.
  private func target(_ names: [String]) -> TokenJSON? {
    var node: TokenJSON? = root
    for (place, name) in names.enumerated() {
      guard let here = node else { return nil }
      if case .array(let elements) = here.value {
        node = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      } else {
        node = here[name] ?? self.node(at: Array(names[...place]))
      }
    }
    return node
  }

  private func error(_ node: TokenJSON, _ path: [String], found: String, expected: String) -> ContrastError {
    ContrastError(
      file: files[node.document], line: node.line, path: path.joined(separator: "."), found: found, expected: expected)
  }

  // MARK: Values

  /// The token with its colour; `nil` where it is of another type.
  private func token(_ found: Found) throws(ContrastError) -> ColourToken? {
    let (end, type) = try end(of: found, through: [])
    guard let type else {
      throw error(
        found.node, found.path, found: "no type", expected: "\"\(typeKey)\": \"color\" here or in a group around it")
    }
    guard type == "color" else { return nil }
    var warnings: [String] = []
    let colour = try colour(end.node, end.path, &warnings)
    if isLegacy, Self.has("modify", in: found.node) { warnings.append("its 'modify' is not applied") }
    let value = found.node[valueKey] ?? found.node["$ref"] ?? found.node
    return ColourToken(
      path: found.path.joined(separator: "."), colour: colour, file: files[value.document], line: value.line,
      isDeprecated: found.isDeprecated, warnings: warnings, bytes: value.bytes, isLegacy: isLegacy)
  }

  /// Where a chain of aliases ends, and the type: the first that the chain states.
  private func end(
    of found: Found, through circle: [String]
  ) throws(ContrastError) -> (end: (node: TokenJSON, path: [String]), type: String?) {
    let name = found.path.joined(separator: ".")
    let value = found.node[valueKey] ?? found.node
    if circle.contains(name) {
      throw error(
        value, found.path, found: "a circle of aliases: \((circle + [name]).joined(separator: " -> "))",
        expected: "a chain that ends at a colour")
    }
    let alias = value.string.flatMap(reference) ?? value["$ref"]?.string.flatMap(pointer)
    guard let alias else {
      if let text = value["$ref"]?.string {
        throw error(value, found.path, found: "'\(text)'", expected: "a pointer into this file, such as #/color/text")
      }
      let type = found.type ?? (isLegacy && value.string.flatMap(Colour.init(css:)) != nil ? "color" : nil)
      return ((value, found.path), type)
    }
    if alias.last == valueKey || alias.contains(valueKey) {
      guard let node = target(alias) else { throw missing(alias, value, found.path) }
      return ((node, found.path), found.type)
    }
    guard let next = lookUp(alias) else {
      if let group = node(at: alias), group.isObject {
        throw error(
          value, found.path, found: "a reference to a group, '\(alias.joined(separator: "."))'",
          expected: group["$root"] == nil
            ? "the name of a token" : "the name of a token, such as {\(alias.joined(separator: ".")).$root}")
      }
      throw missing(alias, value, found.path)
    }
    let (last, type) = try end(of: next, through: circle + [name])
    return (last, found.node[typeKey]?.string ?? type ?? found.type)
  }

  private func missing(_ names: [String], _ node: TokenJSON, _ path: [String]) -> ContrastError {
    error(node, path, found: "'\(names.joined(separator: "."))', which is not there", expected: "the name of a token")
  }

  private func lookUp(_ names: [String]) -> Found? { places[names.joined(separator: ".")].map { found[$0] } }

  private func colour(
    _ value: TokenJSON, _ path: [String], _ warnings: inout [String]
  ) throws(ContrastError) -> Colour {
    if let text = value.string {
      guard let colour = Colour(css: text) else {
        throw error(
          value, path, found: "'\(text.prefix(60))'", expected: "a colour such as #333333, or {the.name.of.a.token}")
      }
      return colour
    }
    guard let name = value["colorSpace"] else {
      throw error(value, path, found: value.found, expected: "a colour with colorSpace and components")
    }
    guard let space = name.string.flatMap(ColourSpace.init(rawValue:)) else {
      throw error(
        name, path, found: name.found,
        expected: "one of \(ColourSpace.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let written = value["components"]
    guard let written, written.elements.count == 3 else {
      throw error(
        written ?? value, path,
        found: written.map { "\($0.elements.count) components" } ?? "no components", expected: "three components")
    }
    var components: [Double] = []
    for element in written.elements { components.append(try number(element, path)) }
    let alpha = try value["alpha"].map { (node) throws(ContrastError) in try number(node, path) } ?? 1
    guard (0...1).contains(alpha) else {
      throw error(value["alpha"] ?? value, path, found: "\(alpha)", expected: "an alpha from 0 to 1")
    }
    let colour = Colour(space, components, alpha: alpha)
    if let hex = value["hex"]?.string {
      guard let other = Colour(css: hex) else {
        throw error(
          value["hex"] ?? value, path, found: "'\(hex.prefix(20))'", expected: "six hexadecimal digits behind #")
      }
      var mapped = colour.mapped
      mapped.alpha = 1
      if mapped.hex != other.hex.prefix(7) {
        warnings.append("its hex \(hex) is another colour than its components, \(mapped.hex)")
      }
    }
    return colour
  }

  /// A component: a number, `none`, which counts as 0, or a pointer to one.
  private func number(
    _ element: TokenJSON, _ path: [String], depth: Int = 0
  ) throws(ContrastError) -> Double {
    if let number = element.number { return number }
    if element.string == "none" { return 0 }
    if let text = element["$ref"]?.string {
      guard depth < 20, let names = pointer(text), let node = target(names) else {
        throw error(element, path, found: "'\(text)'", expected: "a pointer to a number, not in a circle")
      }
      return try number(node, path, depth: depth + 1)
    }
    throw error(element, path, found: element.found, expected: "a number, \"none\", or a $ref to a number")
  }
}

/// The themes of a resolver file: its sets, and every choice of the contexts of its modifiers.
struct TokenThemes {
  private let root: TokenJSON
  private let file: String
  private let load: (String) -> String?
  /// The most themes that are made of one file.
  private static let most = 1000

  init(_ root: TokenJSON, file: String, load: @escaping (String) -> String?) {
    (self.root, self.file, self.load) = (root, file, load)
  }

  func sets() throws(ContrastError) -> [TokenSet] {
    guard root["version"]?.string == "2025.10" else {
      throw error(root["version"] ?? root, "version", root["version"]?.found ?? "nothing", "\"2025.10\"")
    }
    var choices: [[(modifier: String, context: String)]] = [[]]
    for (name, modifier) in root["modifiers"]?.members ?? [] {
      let contexts = modifier["contexts"]?.members.map(\.name) ?? []
      guard !contexts.isEmpty else { throw error(modifier, "modifiers.\(name)", "no contexts", "at least one context") }
      choices = choices.flatMap { choice in contexts.map { choice + [(name, $0)] } }
      guard choices.count <= Self.most else {
        throw error(modifier, "modifiers", "more than \(Self.most) themes", "fewer contexts")
      }
    }
    var sets: [TokenSet] = []
    for choice in choices {
      var (files, tree) = ([file], TokenJSON(value: .object([]), document: 0, line: 1, bytes: 0..<0))
      for entry in root["resolutionOrder"]?.elements ?? [] {
        for source in try sources(of: entry, choice) {
          tree = tree.merged(with: try self.tree(of: source, &files))
        }
      }
      sets.append(
        TokenSet(theme: choice.map(\.context).joined(separator: ", "), TokenResolver(tree, files: files)))
    }
    return sets
  }

  /// The sources of an entry of the order: those of a set, or of the chosen context of a modifier.
  private func sources(
    of entry: TokenJSON, _ choice: [(modifier: String, context: String)]
  ) throws(ContrastError) -> [TokenJSON] {
    let names = (entry["$ref"]?.string ?? "").split(separator: "/").map(String.init)
    if names.count == 3, names[0] == "#", names[1] == "sets", let set = root["sets"]?[names[2]] {
      return set["sources"]?.elements ?? []
    }
    if names.count == 3, names[0] == "#", names[1] == "modifiers",
      let context = choice.first(where: { $0.modifier == names[2] })?.context,
      let modifier = root["modifiers"]?[names[2]]
    {
      return modifier["contexts"]?[context]?.elements ?? []
    }
    throw error(
      entry, "resolutionOrder", entry["$ref"]?.found ?? entry.found, "#/sets/NAME or #/modifiers/NAME of this file")
  }

  private func tree(of source: TokenJSON, _ files: inout [String]) throws(ContrastError) -> TokenJSON {
    guard let name = source["$ref"]?.string else { return source }
    guard let text = load(name) else {
      throw error(source, "$ref", "'\(name)', which cannot be read", "a file of tokens")
    }
    if !files.contains(name) { files.append(name) }
    return try TokenJSONReader.read(text, source: name, document: files.firstIndex(of: name) ?? 0)
  }

  private func error(_ node: TokenJSON, _ path: String, _ found: String, _ expected: String) -> ContrastError {
    ContrastError(file: file, line: node.line, path: path, found: found, expected: expected)
  }
}
