// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import ProfileCore
public import PropertyTesting
internal import Randomness

/// The operations that the properties check: those of the core, one of which a mutant replaces.
struct ProfileOperations: Sendable {
  var play: @Sendable ([SessionStep], ConflictPolicy) throws -> SessionFinding = {
    try EditSession.play($0, policy: $1)
  }
  var merge: @Sendable ([String], [String], [String]) -> ThreeWayMerge<String> = {
    ThreeWayMerge(base: $0, mine: $1, theirs: $2)
  }
  var problem: @Sendable (String, ProfileField) -> FieldProblem? = { $0.problem(in: $1) }
  var find: @Sendable (SettingsMap, String) -> [MapSearch.Match] = { MapSearch($0).find($1) }
  var findings: @Sendable (SettingsMap) -> [MapFinding] = { $0.findings() }
  /// Counts events in one tally, then merges another into it.
  var tally: @Sendable ([DashboardEvent]) -> DashboardTally = { events in
    events.reduce(into: DashboardTally()) { $0.add($1, in: ZoneOffsets(3_600)) }
  }
  var joined: @Sendable (DashboardTally, DashboardTally) -> DashboardTally = { one, other in
    var both = one
    both.merge(other)
    return both
  }
  var distinct: @Sendable ([UInt64]) -> Int = { hashes in
    hashes.reduce(into: DistinctCount()) { $0.insert($1) }.count
  }

  static let shipping = ProfileOperations()
}

/// Properties of merges, editors, fields, maps, searches and dashboards.
public enum ProfileProperties {
  public static let catalogue = PropertyCatalogue(
    core: "ProfileCore", production: .shipping, properties: all(of:), mutants: Mutation.editorBugs + Mutation.profile)

  static func all(of code: ProfileOperations) -> [Property] {
    merges(of: code) + sessions(of: code) + fields(of: code) + maps(of: code) + dashboards(of: code)
  }

  private static let lines = Gen<[String]>.arrays(of: .elements(of: ["a", "b", "c", "d", "e", "f"]), count: 0...8)

  static func merges(of code: ProfileOperations) -> [Property] {
    let khanna = "Khanna, Kunal and Pierce, A formal investigation of diff3, FSTTCS 2007"
    return [
      Property(
        "profile.1", "If one side changed, its text is the result", reference: khanna, arguments: ["base", "changed"],
        lines, lines
      ) { base, changed in
        try require(code.merge(base, changed, base).merged == changed, "as mine")
        try require(code.merge(base, base, changed).merged == changed, "as theirs")
      },
      Property(
        "profile.2", "A change that both sides made is the result", reference: khanna, arguments: ["base", "changed"],
        lines, lines
      ) { base, changed in
        try require(code.merge(base, changed, changed).merged == changed, "it is not")
      },
      Property(
        "profile.3", "Exchanging the sides gives the same regions with their sides exchanged", reference: khanna,
        arguments: ["base", "mine", "theirs"], lines, lines, lines
      ) { base, mine, theirs in
        let turned = code.merge(base, theirs, mine).regions.map { region in
          if case .conflict(let one, let base, let other) = region {
            ThreeWayMerge<String>.Region.conflict(mine: other, base: base, theirs: one)
          } else {
            region
          }
        }
        try require(code.merge(base, mine, theirs).regions == turned, "\(turned)")
      },
      Property(
        "profile.4", "Every line that a side added is in the result or in a conflict, and no other line is",
        reference: "no typed line is dropped", arguments: ["base", "mine", "theirs"], lines, lines, lines
      ) { base, mine, theirs in
        let (ours, others) = (mine.map { $0 + "!" }, theirs.map { $0 + "?" })
        let mixed = (base + ours, others + base)
        let all = code.merge(base, mixed.0, mixed.1).regions.flatMap { region in
          switch region {
          case .merged(let lines): lines
          case .conflict(let mine, _, let theirs): mine + theirs
          }
        }
        try require(ours.allSatisfy(all.contains) && others.allSatisfy(all.contains), "\(all)")
        try require(all.allSatisfy((mixed.0 + mixed.1).contains), "\(all)")
      },
    ]
  }

  /// Sessions of up to `maximum` steps; they shrink to fewer steps, to typing, to the phone, to its bio, and to no
  /// pause.
  private static let steps = Gen<[SessionStep]>.arrays(
    of: zip(
      .oneOf(weighted: [
        (weight: 6, generator: .just(.type)), (weight: 6, generator: Gen<SessionStep.Act>.cases()),
      ]),
      .oneOf(weighted: [(weight: 3, generator: .just(0)), (weight: 1, generator: .just(1))]),
      .oneOf(weighted: [(weight: 5, generator: .just(0)), (weight: 1, generator: .just(1))]),
      .elements(of: [Int32(0), 100, 200, 900, 1_000, 3_000, 12_000, 25_000])
    ).map { SessionStep(act: $0, device: $1, field: $2, milliseconds: $3) }, count: 0...14)

  private static func session(
    _ id: String, _ sentence: String, of code: ProfileOperations, _ policies: [ConflictPolicy] = [.merge],
    _ figure: @escaping @Sendable (SessionFinding) -> Int
  ) -> Property {
    Property(id, sentence, reference: "sessions of two devices", arguments: ["steps"], steps) { steps in
      for policy in policies {
        let finding = try code.play(steps, policy)
        try require(figure(finding) == 0, "policy \(policy.rawValue): \(figure(finding))")
      }
    }
  }

  static func sessions(of code: ProfileOperations) -> [Property] {
    [
      session("profile.5", "No edit is lost: it is saved, kept aside, or taken out by a person", of: code) { $0.lost },
      session(
        "profile.6", "No edit is lost by any policy for conflicts", of: code, [.mine, .theirs, .ask]
      ) { $0.lost },
      session("profile.7", "Saves are applied once, and in their order", of: code) { $0.disordered },
      session(
        "profile.8", "Once the network heals, both devices show what the server has, and nothing waits", of: code,
        ConflictPolicy.allCases
      ) { $0.apart },
      session("profile.9", "The screen shows every typed text", of: code, ConflictPolicy.allCases) { $0.unseen },
      session("profile.10", "One save of a field is under way at a time", of: code) { $0.overlapping },
      session("profile.11", "No save is sent sooner than the server allows", of: code) { $0.early },
      session(
        "profile.12", "A device is never in conflict with itself", of: code, [.merge, .ask]
      ) { $0.selfConflicts },
      Property(
        "profile.13", "An editor killed after any write restarts with the same text",
        reference: "records before sends", arguments: ["texts", "pauses in ms"],
        .arrays(of: .strings(count: 0...6), count: 0...6), .arrays(of: .integers(in: 0...2_000), count: 6)
      ) { (texts: [String], pauses: [Int]) in
        var editor = FieldEditor<String>(.bio, Stored("", version: 1))
        var (now, record): (Instant, FieldRecord<String>?) = (.zero, nil)
        for (text, pause) in zip(texts, pauses) {
          now = now + .milliseconds(Int64(pause))
          for event in [FieldEvent<String>.timer, .typed(text)] {
            let effects = editor.handle(event, at: now, word: 1)
            if let store = effects.store { record = store }
            if effects.forgets { record = nil }
            let shown =
              record.map { FieldEditor(.bio, restoring: $0, settings: EditorSettings(), at: now).text }
              ?? editor.base.text
            try require(shown == editor.text, "'\(shown)' for '\(editor.text)'")
          }
        }
      },
    ]
  }

  static func fields(of code: ProfileOperations) -> [Property] {
    [
      Property(
        "profile.14", "A phone number is a plus and 8 to 15 digits, the first not 0", reference: "ITU-T E.164",
        arguments: ["digits"], .arrays(of: .integers(in: 0...9), count: 0...20)
      ) { digits in
        let isGood = (8...15).contains(digits.count) && digits.first != 0
        let text = digits.map(String.init).joined()
        try require((code.problem("+" + text, .phone) == nil) == isGood, "+\(text)")
        try require(text.isEmpty || code.problem(text, .phone) != nil, "without a plus")
      },
      Property(
        "profile.15", "The length of a bio is counted in characters as people see them",
        reference: "Unicode UAX 29, grapheme clusters", arguments: ["characters", "scalars in each"],
        .integers(in: 0...600), .integers(in: 1...4)
      ) { count, scalars in
        let one = (0..<scalars).map { _ in "👩" }.joined(separator: "\u{200D}")
        let text = String(repeating: one, count: count)
        try require((code.problem(text, .bio) == nil) == (count <= 300), "\(text.count) characters")
      },
    ]
  }

  /// Maps of a tab and of screens linked from earlier ones, with an entry each; all words of all names differ.
  private static let generated = Gen<[Int]>.arrays(of: .integers(in: 0...9), count: 0...8).map {
    parents -> SettingsMap in
    let words = [
      "bicycle", "mountain", "tropical", "keyboard", "umbrella", "hospital", "notebook", "sandwich", "elephant",
      "question",
    ]
    var screens = [SettingsMap.Screen(id: "s0", name: "start")]
    for (index, parent) in parents.enumerated() {
      var entry = SettingsMap.Entry(id: "l\(index)", name: "open \(index)", kind: .link)
      entry.target = "s\(index + 1)"
      screens[parent % screens.count].entries.append(entry)
      screens.append(SettingsMap.Screen(id: "s\(index + 1)", name: "screen \(index + 1)"))
    }
    for index in screens.indices {
      var entry = SettingsMap.Entry(id: "e\(index)", name: words[index], kind: .action)
      (entry.role, entry.line) = ("r\(index)", index + 1)
      screens[index].entries.append(entry)
    }
    return SettingsMap(name: "generated", tabs: ["s0"], screens: screens)
  }

  static func maps(of code: ProfileOperations) -> [Property] {
    [
      Property(
        "profile.16", "Exactly the entries more than two steps away count as deep",
        reference: "the links followed back to the tab", arguments: ["map"], generated
      ) { map in
        let deep = Set(code.findings(map).filter { $0.rule == .deep }.map(\.subject))
        for screen in map.screens {
          var (steps, id) = (1, screen.id)
          while let parent = map.screens.first(where: { $0.entries.contains { $0.target == id } }) {
            (steps, id) = (steps + 1, parent.id)
          }
          for entry in screen.entries {
            try require(deep.contains(entry.id) == (steps > 2), "\(entry.id) at \(steps) steps")
          }
        }
      },
      Property(
        "profile.17", "A second entry of one role is found, wherever it is", reference: "one setting, one place",
        arguments: ["map", "place"], generated, .integers(in: 0...9)
      ) { map, index in
        try require(!code.findings(map).contains { $0.rule == .twice }, "found without one")
        var doubled = map
        let index = index % map.screens.count
        var entry = SettingsMap.Entry(id: "again", name: "again", kind: .action)
        entry.role = "r\(map.screens.count - 1)"
        doubled.screens[index].entries.append(entry)
        let found = code.findings(doubled).filter { $0.rule == .twice }
        try require(found.count == 1, "\(found.count) found")
      },
      Property(
        "profile.18", "A search for an entry's name finds it first, also with two letters swapped",
        reference: "Meilisearch: a swap is one error, from 5 letters", arguments: ["map", "entry", "letter"], generated,
        .integers(in: 0...9), .integers(in: 1...5)
      ) { map, index, letter in
        let index = index % map.screens.count
        guard let entry = map.screens[index].entries.last else { return }
        try require(code.find(map, entry.name).first?.route.entry.id == entry.id, "'\(entry.name)'")
        var letters = Array(entry.name.uppercased())
        letters.swapAt(letter, letter + 1)
        try require(code.find(map, String(letters)).first?.route.entry.id == entry.id, "'\(String(letters))'")
      },
    ]
  }

  private static let events = Gen<[DashboardEvent]>.arrays(
    of: zip(.integers(in: 0...9), .integers(in: 0...3), .integers(in: 0...400_000)).map {
      (id: Int, link: Int, seconds: Int) in
      // Events with the same number must be the same event.
      DashboardEvent(
        id: UInt64(id), kind: .click, subject: UInt32(link), source: UInt8(id % 3), visitor: mixed(UInt64(id % 4)),
        seconds: Int64(seconds))
    }, count: 0...12)

  static func dashboards(of code: ProfileOperations) -> [Property] {
    let counts: @Sendable (DashboardTally) -> [DashboardTally.Cell: Int] = { $0.counts }
    return [
      Property(
        "profile.19", "Events counted in parts and merged in any order give the tally of all at once",
        reference: "commutative monoid", arguments: ["events", "of the first part"], events, .integers(in: 0...12)
      ) { events, cut in
        let (first, second) = (code.tally(Array(events.prefix(cut))), code.tally(Array(events.dropFirst(cut))))
        let whole = counts(code.tally(events))
        try require(counts(code.joined(first, second)) == whole, "the parts in order")
        try require(counts(code.joined(second, first)) == whole, "the other way round")
      },
      Property(
        "profile.20", "Events that come late, twice or in another order change nothing", reference: "idempotence",
        arguments: ["events"], events
      ) { events in
        let once = code.tally(events)
        try require(counts(code.tally(events + events.reversed())) == counts(once), "again")
        try require(counts(code.joined(once, once)) == counts(once), "merged with itself")
        try require(once.counts.values.reduce(0, +) == Set(events.map(\.id)).count, "events counted")
      },
      Property(
        "profile.21", "Distinct visitors are exact up to the bound, and within five standard errors beyond",
        reference: "Ertl 2017; five of 1.6%", arguments: ["visitors", "seed"], .integers(in: 0...20_000),
        .integers(in: 0...999)
      ) { visitors, seed in
        let hashes = (0..<visitors).map { mixed(mixed(UInt64(seed)) &+ UInt64($0)) }
        let count = code.distinct(hashes + hashes.prefix(50))
        let maximum = visitors <= DistinctCount.exactBound ? 0 : 5 * DistinctCount.standardError * Double(visitors)
        try require(Double(abs(count - visitors)) <= maximum, "\(count) for \(visitors)")
      },
    ]
  }
}

extension Mutation where Operations == ProfileOperations {
  static let profile: [Mutation] = [
    Mutation("mine-wins", "conflicts are settled in favour of mine", caughtBy: "profile.3", within: 300) {
      $0.merge = { base, mine, theirs in
        let merge = ThreeWayMerge(base: base, mine: mine, theirs: theirs)
        return merge.conflicts == 0 ? merge : ThreeWayMerge(base: [], mine: mine, theirs: [])
      }
    },
    Mutation("nought-allowed", "a phone number may begin with 0", caughtBy: "profile.14", within: 300) {
      $0.problem = { text, field in
        field == .phone && text.hasPrefix("+0") && (9...16).contains(text.count) ? nil : text.problem(in: field)
      }
    },
    Mutation("scalars-counted", "the length of a bio is counted in scalars", caughtBy: "profile.15", within: 50) {
      $0.problem = { text, field in
        field == .bio
          ? text.unicodeScalars.count > 300 ? .isTooLong(count: text.unicodeScalars.count, maximum: 300) : nil
          : text.problem(in: field)
      }
    },
    Mutation("three-steps", "three steps are allowed", caughtBy: "profile.16", within: 300) {
      $0.findings = { $0.findings(depth: 3) }
    },
    Mutation("roles-ignored", "two entries of one role are allowed", caughtBy: "profile.17", within: 20) {
      $0.findings = { $0.findings().filter { $0.rule != .twice } }
    },
    Mutation("exact-words", "a search allows no typing error", caughtBy: "profile.18", within: 20) {
      $0.find = { MapSearch($0).find($1).filter { $0.typos == 0 } }
    },
    Mutation("counted-twice", "merging adds what both have", caughtBy: "profile.20", within: 100) {
      $0.tally = { events in
        var tally = DashboardTally()
        for (index, var event) in events.enumerated() {
          event.id = UInt64(index)
          tally.add(event, in: ZoneOffsets(3_600))
        }
        return tally
      }
    },
    Mutation("raw-estimate", "every second hash is left out", caughtBy: "profile.21", within: 20) {
      $0.distinct = { hashes in
        hashes.filter { $0 & 1 == 0 }.reduce(into: DistinctCount()) { $0.insert($1) }.count
      }
    },
  ]
}
