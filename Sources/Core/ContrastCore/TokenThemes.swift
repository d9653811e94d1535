// SPDX-License-Identifier: Apache-2.0
internal import CoreJSON

extension TokenSet {
  /// The themes of a file: one for a plain file, one for each mode in which colours have values, one for each choice of
  /// contexts of a resolver file, and one for each choice of `$themes` of a file of Tokens Studio.
  ///
  /// - Parameters:
  ///   - text: the file's content.
  ///   - file: its name in errors.
  ///   - contexts: the contexts chosen for modifiers, by the modifiers' names; of the others each context is a theme.
  ///   - load: returns the content of a file that a resolver names, by its path relative to `file`; `nil` if it cannot
  ///     be read.
  /// - Returns: the themes, in the order of the contexts.
  /// - Throws: `ContrastError` for invalid JSON, a file of another kind, more than 50,000 tokens or 1,000 themes, and
  ///   for a resolver that cannot be resolved.
  public static func themes(
    of text: String, file: String, contexts: [String: String] = [:], load: (String) -> String? = { _ in nil }
  ) throws(ContrastError) -> [TokenSet] {
    let root = try JSONNode.tokens(text, file: file)
    guard root.isObject else {
      throw ContrastError(file: file, line: root.line, path: "", found: root.found, expected: "an object of tokens")
    }
    var themes = TokenThemes(root, file: file, contexts: contexts)
    return try themes.sets(load)
  }
}

/// The themes of a file: its sets, combined with every choice of contexts of its modifiers.
struct TokenThemes {
  private let root: JSONNode
  private let contexts: [String: String]
  private var files: [String]
  private var documents: [String: JSONNode] = [:]
  /// The types at the roots of the files, by their index.
  private var rootTypes: [Int: String] = [:]
  /// The largest number of themes of a file.
  private static let maximum = 1000
  /// The deepest nesting of sets that name sets, and the most sources of all of them.
  private static let deepest = 20
  private static let maxSources = 10_000

  init(_ root: JSONNode, file: String, contexts: [String: String]) {
    (self.root, self.contexts, files) = (root, contexts, [file])
  }

  /// A choice: a modifier with its contexts, or a group of themes.
  private struct Axis {
    let name: String
    var options: [(name: String, sources: [JSONNode])]
    /// True if the option is part of the theme's name.
    var isNamed = true
  }

  /// A step of the resolution.
  private enum Step {
    case sources([JSONNode])
    case axis(Int)
  }

  mutating func sets(_ load: (String) -> String?) throws(ContrastError) -> [TokenSet] {
    if let other = otherKind {
      throw error(root, "", other, "design tokens with $value, a resolver file, or tokens of Tokens Studio")
    }
    if root["resolutionOrder"] != nil { return try resolved(load) }
    if !(root["$themes"]?.elements ?? []).isEmpty || root["$metadata"]?["tokenSetOrder"] != nil { return try studio() }
    try choose(among: [])
    return try themes(of: [("", root)])
  }

  /// The format of a file that has colours, but is not one of tokens.
  private var otherKind: String? {
    if root["dsp_spec_version"] != nil { return "a Design System Package (DSP)" }
    if root["meta"]?["variables"] != nil { return "variables from Figma's REST API" }
    if root["props"] != nil, root["global"] != nil || root["aliases"] != nil { return "tokens of Theo" }
    return nil
  }

  /// The token sets of trees, with one for each mode.
  private func themes(of trees: [(name: String, tree: JSONNode)]) throws(ContrastError) -> [TokenSet] {
    var (sets, isEmpty) = ([TokenSet](), true)
    for (name, tree) in trees {
      let plain = try TokenResolver(tree, files: files, rootTypes: rootTypes)
      isEmpty = isEmpty && plain.isEmpty
      let modes = plain.modes
      if modes.isEmpty { sets.append(TokenSet(theme: name, plain)) }
      for mode in modes {
        guard sets.count < Self.maximum else {
          throw error(root, "", "more than \(Self.maximum) themes by context and mode", "fewer")
        }
        sets.append(
          TokenSet(
            theme: name.isEmpty ? mode : "\(name), \(mode)",
            try TokenResolver(tree, files: files, rootTypes: rootTypes, mode: mode)))
      }
    }
    guard !isEmpty else { throw error(root, "", "no token", "tokens with $value, or in older files with value") }
    return sets
  }

  // MARK: Choices

  /// Checks that the chosen contexts exist.
  private func choose(among axes: [Axis]) throws(ContrastError) {
    for (name, context) in contexts.sorted(by: { $0.key < $1.key }) {
      guard let axis = axes.first(where: { $0.name == name }) else {
        let names = axes.map(\.name).joined(separator: ", ")
        throw error(
          root, "context", "'\(name)'", axes.isEmpty ? "no context, as this file has no modifiers" : "one of \(names)")
      }
      guard axis.options.contains(where: { $0.name == context }) else {
        throw error(
          root, "context", "'\(name)=\(context)'", "one of \(axis.options.map(\.name).joined(separator: ", "))")
      }
    }
  }

  /// Every choice of an option of each axis, as indices. They are counted before any is made.
  private func choices(of axes: [Axis], at position: String) throws(ContrastError) -> [[Int]] {
    var count = 1
    for axis in axes {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: axis.options.count)
      count = isTooLarge ? .max : product
    }
    guard count <= Self.maximum else {
      let longest = axes.max { $0.options.count < $1.options.count }
      let example = longest.map { "\($0.name)=\($0.options.first?.name ?? "")" } ?? ""
      throw error(
        root, position, "\(count) themes", "at most \(Self.maximum); choose contexts, such as --context \(example)")
    }
    return axes.reduce([[]]) { choices, axis in
      choices.flatMap { choice in axis.options.indices.map { choice + [$0] } }
    }
  }

  private func name(of choice: [Int], _ axes: [Axis]) -> String {
    zip(choice, axes).filter(\.1.isNamed).map { $1.options[$0].name }.joined(separator: ", ")
  }

  // MARK: Resolver files

  private mutating func resolved(_ load: (String) -> String?) throws(ContrastError) -> [TokenSet] {
    guard root["version"]?.string == "2025.10" else {
      throw error(root["version"] ?? root, "version", root["version"]?.found ?? "nothing", "\"2025.10\"")
    }
    var (steps, axes) = ([Step](), [Axis]())
    for entry in root["resolutionOrder"]?.elements ?? [] {
      let (item, name, isSet) = try item(of: entry)
      if isSet {
        steps.append(.sources(try trees(of: item["sources"]?.elements ?? [], load)))
        continue
      }
      var axis = Axis(name: name, options: [])
      for (context, sources) in item["contexts"]?.members ?? [] {
        axis.options.append((context, try trees(of: sources.elements, load)))
      }
      guard !axis.options.isEmpty else {
        throw error(item, "modifiers.\(name)", "no contexts", "at least one context")
      }
      if let chosen = contexts[name] {
        let options = axis.options.filter { $0.name == chosen }
        if !options.isEmpty { axis.options = options } else { try choose(among: [axis]) }
      } else if !axis.options.contains(where: { $0.sources.contains { holdsColours($0) } }) {
        // A modifier of spacings or motion makes no difference to any colour.
        let `default` = axis.options.first { $0.name == item["default"]?.string } ?? axis.options[0]
        (axis.options, axis.isNamed) = ([`default`], false)
      }
      steps.append(.axis(axes.count))
      axes.append(axis)
    }
    try choose(among: axes)
    let trees = try choices(of: axes, at: "modifiers").map { choice in
      var tree = root.with([])
      for step in steps {
        let sources =
          switch step {
          case .sources(let sources): sources
          case .axis(let index): axes[index].options[choice[index]].sources
          }
        for source in sources { tree = tree.merged(with: source) }
      }
      return (name: name(of: choice, axes), tree: tree)
    }
    return try themes(of: trees)
  }

  /// The set or modifier of an entry of the resolution order: named by `$ref`, or in place with type and name.
  private func item(of entry: JSONNode) throws(ContrastError) -> (JSONNode, name: String, isSet: Bool) {
    if let text = entry["$ref"]?.string {
      let names = Self.pointer(text) ?? []
      if names.count == 2, names[0] == "sets" || names[0] == "modifiers", let item = root[names[0]]?[names[1]] {
        return (Self.overridden(item, by: entry), names[1], names[0] == "sets")
      }
    } else if let type = entry["type"]?.string, type == "set" || type == "modifier", let name = entry["name"]?.string {
      return (entry, name, type == "set")
    }
    throw error(
      entry, "resolutionOrder", entry["$ref"]?.found ?? entry.found,
      "#/sets/NAME or #/modifiers/NAME of this file, or a set or modifier with type and name")
  }

  /// The trees of tokens of sources: of files, of other sets, and tokens in place.
  private mutating func trees(
    of sources: [JSONNode], _ load: (String) -> String?, depth: Int = 0
  ) throws(ContrastError) -> [JSONNode] {
    var trees: [JSONNode] = []
    for source in sources {
      guard trees.count <= Self.maxSources else {
        throw error(source, "$ref", "more than \(Self.maxSources) sources", "sets that name fewer others")
      }
      guard let text = source["$ref"]?.string else {
        trees.append(source)
        continue
      }
      guard text.hasPrefix("#") else {
        trees.append(Self.overridden(try tree(of: source, text, load), by: source))
        continue
      }
      guard depth < Self.deepest else {
        throw error(source, "$ref", "'\(text)', which names itself", "a set that does not contain itself")
      }
      let names = Self.pointer(text) ?? []
      guard names.first != "modifiers", names.first != "resolutionOrder", let target = Self.node(at: names, of: root)
      else {
        throw error(source, "$ref", "'\(text)', which is no set", "a set of this file, such as #/sets/base, or a file")
      }
      let item = Self.overridden(target, by: source)
      if names.first == "sets", names.count == 2 {
        trees += try self.trees(of: item["sources"]?.elements ?? [], load, depth: depth + 1)
      } else {
        trees.append(item)
      }
    }
    return trees
  }

  /// The tokens of a file, or of the part of it behind `#`.
  private mutating func tree(
    of source: JSONNode, _ name: String, _ load: (String) -> String?
  ) throws(ContrastError) -> JSONNode {
    let parts = name.split(separator: "#", maxSplits: 1).map(String.init)
    let folder = files[0].lastIndex(of: "/").map { files[0][...$0] } ?? ""
    let path = parts[0].hasPrefix("/") ? parts[0] : folder + parts[0]
    var tree: JSONNode
    if let known = documents[path] {
      tree = known
    } else {
      guard let text = load(path) else {
        throw error(source, "$ref", "'\(name)', which cannot be read", "a file of tokens")
      }
      files.append(path)
      tree = try JSONNode.tokens(text, file: path, document: files.count - 1)
      // The type at the root of a file holds for the tokens of that file.
      rootTypes[files.count - 1] = tree["$type"]?.string
      if tree.isObject { tree = tree.with(tree.members.filter { $0.name != "$type" }) }
      documents[path] = tree
    }
    guard parts.count > 1 else { return tree }
    guard let part = Self.node(at: Self.pointer("#" + parts[1]) ?? [], of: tree) else {
      throw error(source, "$ref", "'\(name)', which does not exist", "a part of that file, such as #/colours")
    }
    return part
  }

  private static func node(at names: [String], of tree: JSONNode) -> JSONNode? {
    var node: JSONNode? = tree
    for name in names { node = node?[name] }
    return node
  }

  /// The object of a reference, with the members beside `$ref` instead of its own.
  private static func overridden(_ target: JSONNode, by reference: JSONNode) -> JSONNode {
    let own = reference.members.filter { $0.name != "$ref" }
    guard !own.isEmpty, target.isObject else { return target }
    return target.with(target.members.filter { old in !own.contains { $0.name == old.name } } + own)
  }

  /// The names in a JSON pointer: RFC 6901.
  static func pointer(_ text: String) -> [String]? {
    guard text.hasPrefix("#/") else { return nil }
    return text.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }

  /// Returns true if a tree may have colours: a token of that type, or one whose type is elsewhere.
  private func holdsColours(_ node: JSONNode, type: String? = nil) -> Bool {
    let type = node["$type"]?.string ?? node["type"]?.string ?? type ?? rootTypes[node.document]
    if node["$value"] != nil || node["value"] != nil { return type == nil || type == "color" }
    if node["$ref"] != nil || node["$extends"] != nil { return true }
    return node.members.contains {
      ($0.name == "$root" || !$0.name.hasPrefix("$")) && holdsColours($0.value, type: type)
    }
  }

  // MARK: Tokens Studio

  /// The themes of a single file with several sets: each choice of a theme from each group of `$themes`; without
  /// themes, all sets in their order.
  private func studio() throws(ContrastError) -> [TokenSet] {
    let all = root.members.map(\.name).filter { !$0.hasPrefix("$") }
    let stated = (root["$metadata"]?["tokenSetOrder"]?.elements ?? []).compactMap(\.string)
    let order = stated.filter(all.contains) + all.filter { !stated.contains($0) }
    var axes: [Axis] = []
    for theme in root["$themes"]?.elements ?? [] {
      let group = theme["group"]?.string ?? ""
      let sets = (theme["selectedTokenSets"]?.members ?? []).filter { $0.value.string != "disabled" }.map(\.name)
      for set in sets where !all.contains(set) {
        throw error(theme, "$themes", "the set '\(set)', which is not in this file", "an export with all its sets")
      }
      let option = (name: theme["name"]?.string ?? theme["id"]?.string ?? "", sources: nodes(of: sets))
      if let index = axes.firstIndex(where: { $0.name == group }) {
        axes[index].options.append(option)
      } else {
        axes.append(Axis(name: group, options: [option]))
      }
    }
    try choose(among: axes)
    for index in axes.indices {
      if let chosen = contexts[axes[index].name] { axes[index].options.removeAll { $0.name != chosen } }
    }
    let trees = try choices(of: axes, at: "$themes").map { choice in
      let chosen = zip(choice, axes).flatMap { $1.options[$0].sources }.map(\.bytes.lowerBound)
      let sets = nodes(of: order).filter { axes.isEmpty || chosen.contains($0.bytes.lowerBound) }
      return (name: name(of: choice, axes), tree: sets.reduce(root.with([])) { $0.merged(with: $1) })
    }
    return try themes(of: trees)
  }

  private func nodes(of sets: [String]) -> [JSONNode] { sets.compactMap { root[$0] } }

  private func error(_ node: JSONNode, _ path: String, _ found: String, _ expected: String) -> ContrastError {
    ContrastError(file: files[node.document], line: node.line, path: path, found: found, expected: expected)
  }
}
