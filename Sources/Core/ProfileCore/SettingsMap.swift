// SPDX-License-Identifier: Apache-2.0

/// A version of an operating system: numbers joined by points, `17.4`.
public struct SystemVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The numbers, without trailing zeros.
  let parts: [Int]

  /// The version in a text; `nil` if it is not a version.
  public init?(_ text: String) {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    guard words.allSatisfy({ !$0.isEmpty && $0.utf8.count < 10 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else {
      return nil
    }
    var parts = words.compactMap { Int($0) }
    while parts.last == 0, parts.count > 1 { parts.removeLast() }
    self.parts = parts
  }

  /// Returns true if the left version is earlier.
  public static func < (one: Self, other: Self) -> Bool { one.parts.lexicographicallyPrecedes(other.parts) }

  /// The numbers joined by points.
  public var description: String { parts.map(String.init).joined(separator: ".") }
}

/// The screens of an app with their entries: all routes from the app's start to every setting.
public struct SettingsMap: Hashable, Sendable {
  /// The kind of an entry.
  public enum Kind: String, CaseIterable, Sendable {
    /// Opens another screen.
    case link
    /// Opens a sheet over the screen for a single purpose.
    case sheet
    /// Acts immediately.
    case action
    /// Is changed in place.
    case inline
  }

  /// An element of a screen that can be tapped.
  public struct Entry: Hashable, Sendable {
    /// The identifier, unique in the map.
    public var id: String
    /// The displayed name.
    public var name: String
    /// The effect of a tap.
    public var kind: Kind
    /// The section of the screen; empty for a screen without sections.
    public var section = ""
    /// The screen that a link opens.
    public var target: String?
    /// Its purpose, such as `change-email`, unique in the map.
    public var role: String?
    /// Other words that people search for.
    public var synonyms: [String] = []
    /// The frequency of its use in any unit; 0 if it is not common.
    public var use = 0.0
    /// The first system version that has it.
    public var since: SystemVersion?
    /// The first later system version that lacks it.
    public var until: SystemVersion?
    /// The line of its definition.
    public var line = 1

    /// An entry without a role, synonyms, use or versions.
    public init(id: String, name: String, kind: Kind) { (self.id, self.name, self.kind) = (id, name, kind) }

    /// Returns true if a system version has it; true without a version.
    public func exists(on version: SystemVersion?) -> Bool {
      guard let version else { return true }
      return (since.map { $0 <= version } ?? true) && (until.map { version < $0 } ?? true)
    }
  }

  /// A screen with its entries.
  public struct Screen: Hashable, Sendable {
    /// The identifier, unique in the map.
    public var id: String
    /// The displayed name.
    public var name: String
    /// The screen to which its back button leads, if it is not the one that opened it.
    public var back: String?
    /// The entries of the screen, from top to bottom.
    public var entries: [Entry] = []
    /// The line of its definition.
    public var line = 1

    /// A screen without entries.
    public init(id: String, name: String) { (self.id, self.name) = (id, name) }
  }

  /// The name of the app.
  public var name: String
  /// The screens of the tab bar, which is always visible: the app starts on the first; each other one is one step away.
  public var tabs: [String]
  /// The system versions for which the map is checked; none for a single unnamed version.
  public var systems: [SystemVersion]
  /// All screens, in the order of the file.
  public var screens: [Screen]

  /// A map; `problems` lists its contradictions.
  public init(name: String, tabs: [String], systems: [SystemVersion] = [], screens: [Screen]) {
    (self.name, self.tabs, self.systems, self.screens) = (name, tabs, systems, screens)
  }

  /// A contradiction in a map: its place, the value found, and the expected value.
  public struct Problem: Hashable, Sendable {
    /// The line of the map.
    public let line: Int
    /// The field with the contradiction.
    public let field: String
    /// The value found.
    public let found: String
    /// The expected value.
    public let expected: String
  }

  /// All contradictions that prevent a check: repeated ids, missing screens, versions in the wrong order, links without
  /// a screen.
  public var problems: [Problem] {
    var (problems, known): ([Problem], Set<String>) = ([], [])
    let names = screens.map(\.id)
    func check(_ screen: String, _ field: String, _ line: Int) {
      guard !names.contains(screen) else { return }
      problems.append(
        Problem(line: line, field: field, found: "'\(screen)'", expected: "one of \(names.joined(separator: ", "))"))
    }
    if tabs.isEmpty {
      problems.append(Problem(line: 1, field: "tabs", found: "none", expected: "the screens of the tab bar"))
    }
    for tab in tabs { check(tab, "tabs", 1) }
    for screen in screens {
      let ids = [(screen.id, screen.line)] + screen.entries.map { ($0.id, $0.line) }
      for (id, line) in ids where !known.insert(id).inserted {
        problems.append(
          Problem(line: line, field: "id", found: "'\(id)' a second time", expected: "a unique id"))
      }
      if let back = screen.back { check(back, "\(screen.id).back", screen.line) }
      for entry in screen.entries {
        if let target = entry.target {
          check(target, "\(entry.id).to", entry.line)
        }
        if (entry.kind == .link) != (entry.target != nil) {
          problems.append(
            Problem(
              line: entry.line, field: "\(entry.id).to", found: entry.target.map { "'\($0)'" } ?? "nothing",
              expected: "a screen for kind link, and none for the others"))
        }
        if let since = entry.since, let until = entry.until, since >= until {
          problems.append(
            Problem(
              line: entry.line, field: "\(entry.id).since", found: "\(since), and until \(until)",
              expected: "a version before the one from which it is gone"))
        }
      }
    }
    return problems
  }

  /// The screen with an id.
  public func screen(_ id: String) -> Screen? { screens.first { $0.id == id } }
}

/// The routes of a map on one system version, found breadth first, so that every route is a shortest one.
public struct MapRoutes: Sendable {
  /// An entry that can be reached, with its route.
  public struct Route: Hashable, Sendable {
    /// The entry.
    public let entry: SettingsMap.Entry
    /// The id of its screen.
    public let screen: String
    /// The names along the route, such as `Profile, Account, E-mail`.
    public let path: [String]
    /// The number of steps: choices of a tab, and taps including the one on the entry.
    public let steps: Int
  }

  /// The steps to each screen that can be reached, and the names along the route.
  let screens: [String: (steps: Int, path: [String])]
  /// The routes to all entries that can be reached, the nearest first.
  public let routes: [Route]

  /// Finds the routes; entries that cannot be reached are left out.
  public init(_ map: SettingsMap, on version: SystemVersion? = nil) {
    var screens: [String: (steps: Int, path: [String])] = [:]
    var (queue, routes): ([String], [Route]) = ([], [])
    func open(_ id: String, _ steps: Int, _ path: [String]) {
      guard screens[id] == nil, let screen = map.screen(id) else { return }
      screens[id] = (steps, path + [screen.name])
      queue.append(id)
    }
    for (index, tab) in map.tabs.enumerated() { open(tab, index == 0 ? 0 : 1, []) }
    // The first tab costs no step and the others one, so the screens behind the first come after the other tabs.
    var next = 0
    while next < queue.count {
      let id = queue[next]
      next += 1
      guard let screen = map.screen(id), let (steps, path) = screens[id] else { continue }
      for entry in screen.entries where entry.exists(on: version) {
        routes.append(Route(entry: entry, screen: id, path: path + [entry.name], steps: steps + 1))
        if let target = entry.target { open(target, steps + 1, path) }
      }
    }
    (self.screens, self.routes) = (screens, routes)
  }

  /// The mean number of steps to the used entries, weighted by use; `nil` if none is used.
  public var meanSteps: Double? {
    let used = routes.filter { $0.entry.use > 0 }
    let total = used.reduce(0) { $0 + $1.entry.use }
    return total > 0 ? used.reduce(0) { $0 + $1.entry.use * Double($1.steps) } / total : nil
  }
}

/// A violated rule of a map.
public struct MapFinding: Hashable, Sendable {
  /// The violated rule.
  public enum Rule: String, CaseIterable, Sendable {
    case deep = "deeper than the limit"
    case unreachable = "out of reach"
    case twice = "reached in two places"
    case cycle = "a way that comes back to its own screen"
    case deadEnd = "a screen with nothing on it"
    case back = "back leads elsewhere"
    case far = "common actions too far on average"
  }

  /// The violated rule.
  public let rule: Rule
  /// The id of the entry or screen; empty for the map.
  public let subject: String
  /// The violation and how to correct it.
  public let message: String
  /// The shortest route to the subject; empty if there is none.
  public let path: [String]
  /// The line of the map.
  public let line: Int
  /// The affected system versions; empty for a map without versions.
  public internal(set) var systems: [SystemVersion]
}

extension SettingsMap {
  /// All violations in the order of the map, on each of its system versions.
  ///
  /// - Parameters:
  ///   - depth: The largest number of steps to any entry; choosing a tab and each tap is one.
  ///   - mean: The exclusive upper bound of the mean steps to common actions, weighted by use.
  /// - Returns: The violations, each with its shortest route and the affected versions.
  public func findings(depth: Int = 2, mean: Double = 2) -> [MapFinding] {
    var all: [MapFinding] = []
    for version in systems.isEmpty ? [nil] : systems.map(Optional.some) {
      for finding in findings(on: version, depth: depth, mean: mean) {
        let same = all.firstIndex {
          ($0.rule, $0.subject) == (finding.rule, finding.subject) && $0.path == finding.path
        }
        if let same { all[same].systems += finding.systems } else { all.append(finding) }
      }
    }
    return all.sorted { ($0.line, $0.subject) < ($1.line, $1.subject) }
  }

  private func findings(on version: SystemVersion?, depth: Int, mean: Double) -> [MapFinding] {
    let ways = MapRoutes(self, on: version)
    let systems = version.map { [$0] } ?? []
    var found: [MapFinding] = []
    func add(_ rule: MapFinding.Rule, _ subject: String, _ message: String, _ path: [String], _ line: Int) {
      found.append(
        MapFinding(rule: rule, subject: subject, message: message, path: path, line: line, systems: systems))
    }
    for route in ways.routes where route.steps > depth {
      add(
        .deep, route.entry.id, "it takes \(route.steps) steps, at most \(depth) are promised; move it nearer",
        route.path, route.entry.line)
    }
    var parents: [String: [Entry]] = [:]
    for screen in screens {
      for entry in screen.entries where entry.exists(on: version) {
        if let target = entry.target { parents[target, default: []].append(entry) }
      }
    }
    for screen in screens {
      let path = ways.screens[screen.id]?.path ?? []
      let entries = screen.entries.filter { $0.exists(on: version) }
      if ways.screens[screen.id] == nil {
        add(.unreachable, screen.id, "nothing leads to it or to what is on it; link it, or remove it", [], screen.line)
      }
      if entries.isEmpty { add(.deadEnd, screen.id, "nothing can be done there; give it entries", path, screen.line) }
      let links = parents[screen.id] ?? []
      let indices = links.count + (tabs.contains(screen.id) ? 1 : 0)
      if indices > 1 {
        let names = links.map(\.name).joined(separator: ", ")
        add(.twice, screen.id, "\(indices) places lead to it (\(names)); keep one", path, screen.line)
      }
      if let back = screen.back, ways.screens[screen.id] != nil {
        let from = screens.filter { $0.entries.contains { $0.target == screen.id && $0.exists(on: version) } }.map(\.id)
        for origin in from where origin != back {
          add(
            .back, screen.id, "opened from '\(origin)', back leads to '\(back)'; make it return to '\(origin)'",
            path,
            screen.line)
        }
      }
      if isOnCycle(screen.id, version) {
        add(.cycle, screen.id, "its links lead back to it; use back instead of a link", path, screen.line)
      }
    }
    var roles: [String: MapRoutes.Route] = [:]
    for route in ways.routes {
      guard let role = route.entry.role else { continue }
      if let first = roles[role] {
        add(
          .twice, route.entry.id,
          "'\(first.entry.id)' in \(first.path.joined(separator: " > ")) does the same (\(role)); keep one", route.path,
          route.entry.line)
      } else {
        roles[role] = route
      }
    }
    if let steps = ways.meanSteps, steps >= mean {
      let hundredths = Int((steps * 100).rounded())
      let text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
      add(.far, "", "common actions take \(text) steps on average, weighted by use; move the most used closer", [], 1)
    }
    return found
  }

  private func isOnCycle(_ id: String, _ version: SystemVersion?) -> Bool {
    var (open, seen): ([String], Set<String>) = ([id], [])
    while let next = open.popLast() {
      for entry in screen(next)?.entries ?? [] where entry.exists(on: version) {
        guard let target = entry.target else { continue }
        if target == id { return true }
        if seen.insert(target).inserted { open.append(target) }
      }
    }
    return false
  }
}
