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
  /// Whether the token, or a group that it is in, is marked `$deprecated`.
  public let isDeprecated: Bool
  /// Warnings: a `hex` that differs from the components, a `modify` that was not applied, a colour out of gamut.
  public let warnings: [String]
  /// The bytes of its value in its file, which a correction replaces.
  let bytes: Range<Int>
  let form: Form

  /// The notation of a value.
  enum Form: Hashable, Sendable {
    /// `$value`.
    case value
    /// A `$ref` pointer instead of `$value`.
    case pointer
    /// `value`, from before the format was specified.
    case legacy
  }
}

/// The colour tokens of one theme: of a design tokens file, or of a resolver file with one choice of its modifiers.
///
/// Reads the Design Tokens Format 2025.10 (`$value`, `$type` of the token or the nearest group, aliases `{a.b}`, `$ref`
/// pointers, `$root`, `$extends`, `$deprecated`), and the older forms of Style Dictionary and Tokens Studio (`value`,
/// `type`, `{a.b.value}`). Tokens of other types are left out.
public struct TokenSet: Sendable {
  /// The theme's name: the contexts of the modifiers, joined by commas; empty for a plain file.
  public let theme: String
  /// The tokens in the document's order.
  public let tokens: [ColourToken]
  /// Errors in single tokens, in the document's order; `tokens` does not contain these tokens.
  public let problems: [ContrastError]

  /// The themes of a file: one for a plain file, one for each choice of contexts for a resolver file.
  ///
  /// - Parameters:
  ///   - text: the file's content.
  ///   - file: its name in errors.
  ///   - load: returns the content of a file that a resolver names, by its path relative to `file`; `nil` if it cannot
  ///     be read.
  /// - Returns: the themes, in the order of the contexts.
  /// - Throws: `ContrastError` for invalid JSON, and for a resolver that cannot be resolved.
  public static func themes(
    of text: String, file: String, load: (String) -> String? = { _ in nil }
  ) throws(ContrastError) -> [TokenSet] {
    let root = try JSONNode.tokens(text, file: file)
    guard root.isObject else {
      throw ContrastError(file: file, line: root.line, path: "", found: root.found, expected: "an object of tokens")
    }
    guard root["resolutionOrder"] != nil else { return [TokenSet(theme: "", TokenResolver(root, files: [file]))] }
    var themes = TokenThemes(root, file: file)
    return try themes.sets(load)
  }

  init(theme: String, _ resolver: TokenResolver) {
    self.theme = theme
    (tokens, problems) = resolver.resolved()
  }
}

/// Follows aliases, pointers and extensions in one tree of tokens.
struct TokenResolver {
  private let root: JSONNode
  private let files: [String]
  private let isLegacy: Bool
  private var found: [Found] = []
  /// The indices in `found`, by the path.
  private var places: [String: Int] = [:]
  private var problems: [ContrastError] = []
  /// More tokens than this come only from extensions of extensions.
  private static let mostTokens = 50_000
  /// The longest chain of aliases. Each of its tokens follows it to the end; the bound keeps the work linear.
  private static let longestChain = 100

  init(_ root: JSONNode, files: [String]) {
    (self.root, self.files) = (root, files)
    isLegacy = !Self.has("$value", in: root) && Self.has("value", in: root)
    collect(root, [], type: nil, isDeprecated: false)
    for (place, one) in found.enumerated() { places[one.name] = place }
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

    var name: String { path.joined(separator: ".") }
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

  private func isToken(_ node: JSONNode) -> Bool {
    node[valueKey] != nil || (node["$ref"] != nil && !isLegacy)
  }

  private mutating func collect(_ node: JSONNode, _ path: [String], type: String?, isDeprecated: Bool) {
    guard node.isObject, path.count < 100 else { return }
    let isDeprecated = Self.deprecated(node) ?? isDeprecated
    do throws(ContrastError) {
      if isToken(node) {
        guard found.count < Self.mostTokens else {
          throw error(node, path, "one token more than \(Self.mostTokens)", "fewer, or groups that extend fewer others")
        }
        return found.append(Found(path: path, node: node, inheritedType: type, isDeprecated: isDeprecated))
      }
      let members = try members(of: node, path)
      // An extended group passes on its type, too.
      let type = members.first { $0.name == typeKey }?.value.string ?? type
      for (name, child) in members where !name.hasPrefix("$") || name == "$root" {
        if found.count >= Self.mostTokens, !problems.isEmpty { return }
        collect(child, path + [name], type: type, isDeprecated: isDeprecated)
      }
    } catch {
      problems.append(error)
    }
  }

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
    guard let base = node["$extends"] else { return node.members }
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
      .merged(with: node.with(node.members.filter { $0.name != "$extends" })).members
  }

  /// The node at a path, through extended groups and lists.
  private func node(at names: [String], extending: [String] = []) throws(ContrastError) -> JSONNode? {
    var node = root
    for (place, name) in names.enumerated() {
      let members = try members(of: node, Array(names[..<place]), extending: extending)
      let elements = node.elements
      guard
        let next = members.first(where: { $0.name == name })?.value
          ?? Int(name).flatMap({ elements.indices.contains($0) ? elements[$0] : nil })
      else { return nil }
      node = next
    }
    return node
  }

  /// The names in `{a.b}`; in older files `value` may follow them.
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

  private func error(_ node: JSONNode, _ path: [String], _ found: String, _ expected: String) -> ContrastError {
    ContrastError(
      file: files[node.document], line: node.line, path: path.joined(separator: "."), found: found, expected: expected)
  }

  // MARK: Values

  /// The token with its colour; `nil` for a token of another type.
  private func token(_ found: Found) throws(ContrastError) -> ColourToken? {
    let end = try end(of: found)
    // Older files imply a type by their folder, or have none.
    let guess = isLegacy ? end.value.string.flatMap(Colour.init(css:)).map { _ in "color" } ?? "" : nil
    guard let type = end.type ?? guess else {
      throw error(found.node, found.path, "no type", "\"\(typeKey)\": \"color\" here or in a group around it")
    }
    guard type == "color" else { return nil }
    let (colour, hex) = try colour(end.value, end.path)
    let mapped = colour.mapped
    var warnings: [String] = []
    if let hex, hex != Colour(red: mapped.red, green: mapped.green, blue: mapped.blue).hex {
      warnings.append("its hex \(hex) differs from its components, \(mapped.hex)")
    }
    if !colour.isInGamut { warnings.append("outside sRGB; treated as \(mapped.hex), the nearest colour in it") }
    if isLegacy, Self.has("modify", in: found.node) { warnings.append("its 'modify' is not applied") }
    let value = found.node[valueKey] ?? found.node["$ref"] ?? found.node
    return ColourToken(
      path: found.name, colour: colour, file: files[value.document], line: value.line,
      isDeprecated: found.isDeprecated, warnings: warnings, bytes: value.bytes,
      form: isLegacy ? .legacy : found.node[valueKey] == nil ? .pointer : .value)
  }

  /// The end of a chain of aliases, with the type: the first one stated by a token of the chain, else the one inherited
  /// by the last token.
  private func end(of found: Found) throws(ContrastError) -> (value: JSONNode, path: [String], type: String?) {
    var (token, value, passed) = (found, found.node[valueKey] ?? found.node, [String]())
    let own = value
    var seen: Set<String> = []
    var (stated, inherited) = (found.node[typeKey]?.string, found.inheritedType)
    while let text = value["$ref"]?.string ?? value.string, text.hasPrefix("{") || value.isObject {
      guard let alias = value.isObject ? pointer(text) : reference(text) else {
        throw error(value, token.path, "'\(text)'", "the name of a token, such as {color.text}, or #/color/text")
      }
      passed.append(token.name)
      seen.insert(token.name)
      if alias.contains(valueKey) {
        // A pointer into a token.
        guard let next = try node(at: alias), passed.count <= Self.longestChain else {
          throw error(value, token.path, "'\(text)', which does not exist", "a pointer to a value of this file")
        }
        value = next
        continue
      }
      let name = alias.joined(separator: ".")
      guard let place = places[name] else {
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
      token = self.found[place]
      value = token.node[valueKey] ?? token.node
      stated = stated ?? token.node[typeKey]?.string
      inherited = token.inheritedType ?? inherited
    }
    return (value, token.path, stated ?? inherited)
  }

  /// The colour, and the `hex` given next to its components.
  private func colour(_ value: JSONNode, _ path: [String]) throws(ContrastError) -> (Colour, hex: String?) {
    if let text = value.string {
      guard let colour = Colour(css: text) else {
        throw error(value, path, value.found, "a colour such as #333333, or {the.name.of.a.token}")
      }
      return (colour, nil)
    }
    guard let name = value["colorSpace"] else {
      throw error(value, path, value.found, "a colour with colorSpace and components")
    }
    guard let space = name.string.flatMap(ColourSpace.init(rawValue:)) else {
      throw error(name, path, name.found, "one of \(ColourSpace.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let written = value["components"]
    guard let written, written.elements.count == 3 else {
      throw error(
        written ?? value, path, written.map { "\($0.elements.count) components" } ?? "no components",
        "three components")
    }
    var components: [Double] = []
    for element in written.elements { components.append(try number(element, path)) }
    let alpha = try value["alpha"].map { (node) throws(ContrastError) in try number(node, path) } ?? 1
    guard (0...1).contains(alpha) else {
      throw error(value["alpha"] ?? value, path, "\(alpha)", "an alpha from 0 to 1")
    }
    let hex = value["hex"].map { ($0, $0.string.flatMap { $0.hasPrefix("#") ? Colour(css: $0) : nil }) }
    if let hex, hex.1 == nil { throw error(hex.0, path, hex.0.found, "six hexadecimal digits behind #") }
    return (
      Colour(space, components, alpha: alpha),
      hex?.1.map { Colour(red: $0.red, green: $0.green, blue: $0.blue).hex }
    )
  }

  /// A component: a number, `none`, which counts as 0, or a pointer to one.
  private func number(_ element: JSONNode, _ path: [String], depth: Int = 0) throws(ContrastError) -> Double {
    if let number = element.number { return number }
    if element.string == "none" { return 0 }
    guard let text = element["$ref"]?.string else {
      throw error(element, path, element.found, "a number, \"none\", or a $ref to a number")
    }
    guard depth < 20, let names = pointer(text), let node = try node(at: names) else {
      throw error(element, path, "'\(text)'", "a pointer to a number, such as #/a/$value/components/0, without a cycle")
    }
    return try number(node, path, depth: depth + 1)
  }
}

/// The themes of a resolver file: its sets, combined with every choice of contexts of its modifiers.
struct TokenThemes {
  private let root: JSONNode
  private var files: [String]
  private var documents: [String: JSONNode] = [:]
  /// The largest number of themes of a file.
  private static let most = 1000

  init(_ root: JSONNode, file: String) { (self.root, files) = (root, [file]) }

  mutating func sets(_ load: (String) -> String?) throws(ContrastError) -> [TokenSet] {
    guard root["version"]?.string == "2025.10" else {
      throw error(root["version"] ?? root, "version", root["version"]?.found ?? "nothing", "\"2025.10\"")
    }
    var choices: [[String: String]] = [[:]]
    var names: [String] = []
    for (name, modifier) in root["modifiers"]?.members ?? [] {
      let contexts = modifier["contexts"]?.members.map(\.name) ?? []
      guard !contexts.isEmpty else { throw error(modifier, "modifiers.\(name)", "no contexts", "at least one context") }
      names.append(name)
      choices = choices.flatMap { choice in contexts.map { choice.merging([name: $0]) { $1 } } }
      guard choices.count <= Self.most else {
        throw error(modifier, "modifiers", "more than \(Self.most) themes", "fewer contexts")
      }
    }
    var sets: [TokenSet] = []
    for choice in choices {
      var tree = root.with([])
      for entry in root["resolutionOrder"]?.elements ?? [] {
        for source in try sources(of: entry, choice) { tree = tree.merged(with: try self.tree(of: source, load)) }
      }
      let theme = names.compactMap { choice[$0] }.joined(separator: ", ")
      sets.append(TokenSet(theme: theme, TokenResolver(tree, files: files)))
    }
    return sets
  }

  /// The sources of an entry of the resolution order: those of a set, or of the chosen context of a modifier.
  private func sources(of entry: JSONNode, _ choice: [String: String]) throws(ContrastError) -> [JSONNode] {
    let names = (entry["$ref"]?.string ?? "").split(separator: "/").map(String.init)
    if names.count == 3, names[0] == "#" {
      if names[1] == "sets", let set = root["sets"]?[names[2]] { return set["sources"]?.elements ?? [] }
      if names[1] == "modifiers", let context = choice[names[2]] {
        return root["modifiers"]?[names[2]]?["contexts"]?[context]?.elements ?? []
      }
    }
    throw error(
      entry, "resolutionOrder", entry["$ref"]?.found ?? entry.found, "#/sets/NAME or #/modifiers/NAME of this file")
  }

  private mutating func tree(of source: JSONNode, _ load: (String) -> String?) throws(ContrastError) -> JSONNode {
    guard let name = source["$ref"]?.string else { return source }
    let folder = files[0].lastIndex(of: "/").map { files[0][...$0] } ?? ""
    let path = name.hasPrefix("/") ? name : folder + name
    if let known = documents[path] { return known }
    guard let text = load(path) else {
      throw error(source, "$ref", "'\(name)', which cannot be read", "a file of tokens")
    }
    files.append(path)
    let document = try JSONNode.tokens(text, file: path, document: files.count - 1)
    documents[path] = document
    return document
  }

  private func error(_ node: JSONNode, _ path: String, _ found: String, _ expected: String) -> ContrastError {
    ContrastError(file: files[0], line: node.line, path: path, found: found, expected: expected)
  }
}
