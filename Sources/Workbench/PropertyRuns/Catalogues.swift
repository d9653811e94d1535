// SPDX-License-Identifier: GPL-3.0-or-later
public import PropertyTesting
public import Reporting
package import Scenarios

/// The properties of several labs, and the choice among them by name.
package struct Catalogues: Sendable {
  package let all: [PropertyCatalogue]

  /// A property with its core, and the mutant under test; `nil` for the code that ships.
  package struct Chosen: Sendable {
    package let core: String
    package let mutant: String?
    package let property: Property
  }

  package init(_ all: [PropertyCatalogue]) {
    self.all = all
  }

  /// The names of all mutants.
  package var mutants: [String] { all.flatMap { $0.mutants.map(\.name) } }

  /// The problems of the catalogues, a sentence each: equal names, and mutants that no property could catch.
  package var problems: [String] {
    var (ids, names) = (Set<String>(), Set<String>())
    var problems: [String] = []
    for one in all {
      for property in one.properties + one.notPromised where !ids.insert(property.id).inserted {
        problems.append("\(one.core), property '\(property.id)': declared twice; each needs its own id.")
      }
      for mutant in one.mutants {
        if !names.insert(mutant.name).inserted {
          problems.append("\(one.core), mutant '\(mutant.name)': declared twice; each needs its own name.")
        }
        if let id = mutant.expectation?.property, one.property(id) == nil {
          problems.append(
            "\(one.core), mutant '\(mutant.name)': caught by '\(id)', which is no property of its catalogue.")
        }
      }
    }
    return problems
  }

  /// The groups that ids begin with, such as `league`, in the catalogues' order.
  package var groups: [String] {
    all.flatMap { one in
      Set(one.properties.compactMap { $0.id.split(separator: ".").first.map(String.init) }).sorted()
    }
  }

  /// The groups with their numbers of properties: `league (20), club (27)`.
  package var groupList: String {
    let ids = all.flatMap(\.properties).map(\.id)
    return groups.map { group in "\(group) (\(ids.count { $0.hasPrefix("\(group).") }))" }.joined(separator: ", ")
  }

  /// Groups, then ids.
  package var names: [String] { groups + all.flatMap { $0.properties.map(\.id) } }

  /// The properties that patterns choose, each once, in the catalogues' order; all without a pattern. A pattern is an
  /// id, the name of a group such as `league`, or an id with `*` in it.
  package func chosen(_ patterns: [String], mutant: String?) throws(PropertyLabError) -> [Chosen] {
    let candidates = try candidates(of: mutant)
    for pattern in patterns where !candidates.contains(where: { Self.matches($0.property.id, pattern) }) {
      let known = candidates.map(\.property.id) + groups
      throw .noSuchProperty(pattern, nearest: Spelling.nearest(to: pattern, among: known))
    }
    return patterns.isEmpty
      ? candidates : candidates.filter { one in patterns.contains { Self.matches(one.property.id, $0) } }
  }

  /// The property of exactly that id.
  public func property(_ id: String, mutant: String?) throws(PropertyLabError) -> Chosen {
    let candidates = try candidates(of: mutant)
    guard let found = candidates.first(where: { $0.property.id == id }) else {
      throw .noSuchProperty(id, nearest: Spelling.nearest(to: id, among: candidates.map(\.property.id)))
    }
    return found
  }

  /// The catalogues of some properties' cores, each with these properties alone.
  func catalogues(of chosen: [Chosen]) -> [PropertyCatalogue] {
    let ids = Set(chosen.map(\.property.id))
    return all.filter { one in one.properties.contains { ids.contains($0.id) } }.map { $0.keeping(ids) }
  }

  /// The properties that patterns choose, and the mutants of their cores.
  package func listing(of patterns: [String]) throws(PropertyLabError) -> (document: Document, json: JSONValue) {
    let chosen = try chosen(patterns, mutant: nil)
    let properties = Table(
      ["id", "what is claimed", "source"],
      rows: chosen.map { [$0.property.id, $0.property.sentence, $0.property.reference] })
    let rows = chosen.map { one -> JSONValue in
      [
        "property": .string(one.property.id), "core": .string(one.core), "sentence": .string(one.property.sentence),
        "source": .string(one.property.reference),
      ]
    }
    let cores = Set(chosen.map(\.core))
    let mutants = Table(
      ["mutant", "core", "fault"],
      rows: all.filter { cores.contains($0.core) }.flatMap { one in
        one.mutants.map { [$0.name, one.core, $0.fault] }
      })
    let sections = [("Properties", properties), ("Mutants", mutants)].filter { !$1.rows.isEmpty }.map { title, table in
      ReportSection(id: title.lowercased(), title: title, blocks: [.table(table)])
    }
    let document = Document(sections, data: Table(records: rows))
    let faults = mutants.rows.map { row -> JSONValue in
      ["mutant": .string(row[0]), "core": .string(row[1]), "fault": .string(row[2])]
    }
    return (document, ["properties": .array(rows), "mutants": .array(faults)])
  }

  private func candidates(of mutant: String?) throws(PropertyLabError) -> [Chosen] {
    guard let mutant else {
      return all.flatMap { one in one.properties.map { Chosen(core: one.core, mutant: nil, property: $0) } }
    }
    for catalogue in all {
      if let found = catalogue.mutant(mutant) {
        return found.properties.map { Chosen(core: catalogue.core, mutant: mutant, property: $0) }
      }
    }
    throw .noSuchMutant(mutant, nearest: Spelling.nearest(to: mutant, among: mutants), known: mutants)
  }

  private static func matches(_ id: String, _ pattern: String) -> Bool {
    guard pattern.contains("*") else { return id == pattern || id.hasPrefix(pattern + ".") }
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, id.hasPrefix(first) else { return false }
    var rest = id.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.count >= last.count && rest.hasSuffix(last)
  }
}

/// A request for properties or mutants that do not exist or cannot be tested.
package enum PropertyLabError: InputError, Hashable {
  /// No property has that id, and no group of them that name.
  case noSuchProperty(String, nearest: String?)
  case noSuchMutant(String, nearest: String?, known: [String])

  package var description: String {
    switch self {
    case .noSuchProperty(let found, let nearest):
      "unknown property '\(found)'\(nearest.map { "; \(Spelling.question($0))" } ?? ";")"
        + " 'assay properties list' names them all."
    case .noSuchMutant(let found, let nearest, let known):
      "unknown mutant '\(found)'\(Spelling.hint(nearest)), expected "
        + (known.isEmpty
          ? "none: there is no mutant."
          : known.count > 30
            ? "one of \(known.count), which 'assay properties list' shows."
            : "one of \(known.joined(separator: ", ")).")
    }
  }
}

extension CheckError: InputError {}
extension DamagedExample: InputError {}
extension ExampleStoreError: InputError {}
extension ReplayError: InputError {}
extension SymbolError: InputError {}
extension WorkerError: InputError {}
