// SPDX-License-Identifier: GPL-3.0-or-later
internal import ProfileCore
internal import Randomness
internal import Reporting
internal import Sampling
internal import Scenarios
internal import Synchronization

/// A map prepared for simulated searches.
struct WalkedMap: Sendable {
  /// The path to an entry: for each screen of it, the number of links and of entries to read.
  struct Way: Sendable {
    let steps: Int
    let screens: [(links: Int, entries: Int)]
    let rank: Int
  }

  let name: String
  /// Paths by role.
  let ways: [String: Way]
  let roles: [(role: String, use: Double)]

  init(_ name: String) throws {
    let map = try MapFile.read(name)
    let routes = MapRoutes(map, on: map.systems.last)
    let search = MapSearch(map, on: map.systems.last)
    self.name = name
    var (ways, roles): ([String: Way], [(String, Double)]) = ([:], [])
    for route in routes.routes {
      guard let role = route.entry.role, ways[role] == nil else { continue }
      let screens = route.path.dropLast().compactMap { title in map.screens.first { $0.name == title } }
      let rank = search.find(route.entry.name).firstIndex { $0.route.entry.id == route.entry.id } ?? 9
      let read = screens.map { one in
        (links: one.entries.count { $0.kind == .link }, entries: one.entries.count)
      }
      // The tab bar is read first, so the other tabs count as wrong turns.
      ways[role] = Way(steps: route.steps, screens: [(map.tabs.count, map.tabs.count)] + read, rank: rank)
      roles.append((role, route.entry.use))
    }
    (self.ways, self.roles) = (ways, roles)
  }
}

/// Compares two maps: simulated people with stated habits look for settings, with the same random draws in both.
struct NavigateRun: SampledExperiment {
  var maps = ["flat", "nested"]
  var searchers = 0.2
  var recognition = 0.85
  var patience = 3

  init() {}

  static let kind = "profile.navigate"
  static let summary = "Simulates people who look for settings in two maps, and compares their steps and wrong turns."
  static let discussion = """
    Example: assay profile navigate
    Example: assay profile navigate --maps flat mine.yaml --recognition 70%

    Each sample is a person who wants one thing, drawn by how often it is used, and looks for it in \
    both maps. On every screen of the way they see the right one of its links with the chance --recognition; else \
    they open another, where there is one, and come back: a wrong turn of two steps. After --patience wrong turns \
    they search, as the share --searchers does \
    at once: a step to open it, one to take what is found, and one for each result before it. The draws belong to the \
    person and the screen, so both maps meet the same person. The habit is assumed, not measured.
    """
  static let defaultSamples = 100_000
  static let defaultThresholds = ["steps.saved > 0 at 0.99", "flat.steps < 3 at 0.99"]

  static let parameters: [Parameter<NavigateRun>] = [
    Parameter(
      "maps", \.maps, ValueType<String>.text("map", expected: "a file of a map, or flat, or nested").list(),
      "Two maps, the better one first.", example: "flat nested"),
    Parameter("searchers", \.searchers, .share, "The share of people who search first.", example: "50%"),
    Parameter(
      "recognition", \.recognition, .share, "The probability of seeing the right link of a screen at once.",
      example: "70%"),
    Parameter(
      "patience", \.patience, .count(0...100), "The number of wrong turns after which people search.", example: "1"),
  ]

  struct Walk: Sendable {
    var steps = 0
    var wrongTurns = 0
    var isSearch = false
  }

  static let measures: [SampleMeasure<[Walk]>] =
    [0, 1].flatMap { index -> [SampleMeasure<[Walk]>] in
      let (name, map) = index == 0 ? ("flat", "the first map") : ("nested", "the second map")
      return [
        .mean("\(name).steps", "Steps to the wanted entry, in \(map).", unit: "steps") { Double($0[index].steps) },
        .mean("\(name).turns", "Wrong turns, in \(map).", unit: "turns") { Double($0[index].wrongTurns) },
        .share("\(name).search", "People who found it by search, in \(map).") { $0[index].isSearch },
      ]
    } + [
      .mean("steps.saved", "Steps that the first map saves a person.", unit: "steps") {
        Double($0[1].steps - $0[0].steps)
      }
    ]

  private static let walked = WalkedMaps()

  func check() throws(ParameterError) {
    guard maps.count == 2 else { throw ParameterError("maps", expected: "two maps") }
    guard recognition > 0 || patience < 100 else {
      throw ParameterError("recognition", "patience", expected: "a chance above 0, or a patience below 100")
    }
  }

  func sample(_ random: inout RandomStream) throws -> [Walk] {
    let walked = try Self.walked.all(maps)
    let roles = walked[0].roles.filter { walked[1].ways[$0.role] != nil }
    let total = roles.reduce(0) { $0 + $1.use }
    guard total > 0, let last = roles.last(where: { $0.use > 0 }) else {
      throw ReportingError.badMember(
        file: maps[1], field: "role", found: "no used role that \(maps[0]) has too", expected: "maps of one app")
    }
    var rest = random.uniform() * total
    let wanted =
      roles.first {
        rest -= $0.use; return rest < 0
      } ?? last
    let isSearcher = random.happens(searchers)
    var person = Person()
    var walks: [Walk] = []
    for one in walked {
      walks.append(one.ways[wanted.role].map { walk($0, &person, isSearcher, &random) } ?? Walk())
    }
    return walks
  }

  /// The draws of a person, by the depth of the screen and the turn on it, so that both maps meet the same person.
  private struct Person {
    private var drawn: [[Double]] = []

    mutating func draw(depth: Int, turn: Int, _ random: inout RandomStream) -> Double {
      while drawn.count <= depth { drawn.append([]) }
      while drawn[depth].count <= turn { drawn[depth].append(random.uniform()) }
      return drawn[depth][turn]
    }
  }

  private func walk(
    _ way: WalkedMap.Way, _ person: inout Person, _ isSearcher: Bool, _ random: inout RandomStream
  ) -> Walk {
    var walk = Walk()
    func search() {
      walk.isSearch = true
      walk.steps += 2 + way.rank
    }
    guard !isSearcher else {
      search()
      return walk
    }
    for (depth, screen) in way.screens.enumerated() where screen.links > 1 {
      var turn = 0
      while person.draw(depth: depth, turn: turn, &random) >= recognition {
        guard walk.wrongTurns < patience else {
          search()
          return walk
        }
        (walk.wrongTurns, walk.steps, turn) = (walk.wrongTurns + 1, walk.steps + 2, turn + 1)
      }
    }
    walk.steps += way.steps
    return walk
  }
}

/// The maps of a run; each is read once.
private final class WalkedMaps: Sendable {
  private let read = Mutex<[String: WalkedMap]>([:])

  func all(_ names: [String]) throws -> [WalkedMap] {
    try names.map { name in
      if let known = read.withLock({ $0[name] }) { return known }
      let map = try WalkedMap(name)
      read.withLock { $0[name] = map }
      return map
    }
  }
}
