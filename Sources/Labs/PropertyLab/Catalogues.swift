// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting
internal import Reporting

/// Every property that some labs hold, and the choice among them by name.
package struct Catalogues: Sendable {
  package let all: [PropertyCatalogue]

  /// A property with the core it is about, and the mutant under test; `nil` for the code that ships.
  package struct Chosen: Sendable {
    package let core: String
    package let subject: String?
    package let property: Property
  }

  package init(_ all: [PropertyCatalogue]) {
    self.all = all
  }

  /// The names of all mutants.
  package var subjects: [String] { all.flatMap { $0.mutants.map(\.name) } }

  /// The properties that patterns choose, each once, in the catalogues' order; all of them where there is no pattern.
  /// A pattern is an id, the name of a group such as `league`, or an id with `*` in it.
  package func chosen(_ patterns: [String], subject: String?) throws(PropertyLabError) -> [Chosen] {
    let candidates = try candidates(of: subject)
    for pattern in patterns where !candidates.contains(where: { Self.matches($0.property.id, pattern) }) {
      throw .noSuchProperty(pattern, nearest: Spelling.nearest(to: pattern, among: Self.names(of: candidates)))
    }
    return patterns.isEmpty
      ? candidates : candidates.filter { one in patterns.contains { Self.matches(one.property.id, $0) } }
  }

  /// The property of exactly that id.
  package func property(_ id: String, subject: String?) throws(PropertyLabError) -> Chosen {
    let candidates = try candidates(of: subject)
    guard let found = candidates.first(where: { $0.property.id == id }) else {
      throw .noSuchProperty(id, nearest: Spelling.nearest(to: id, among: candidates.map(\.property.id)))
    }
    return found
  }

  /// The catalogues of the cores that groups of properties such as `league` are about; all of them for no group.
  package func catalogues(of groups: [String]) throws(PropertyLabError) -> [PropertyCatalogue] {
    func isAbout(_ catalogue: PropertyCatalogue, _ group: String) -> Bool {
      catalogue.properties.contains { $0.id.hasPrefix(group + ".") }
    }
    for group in groups where !all.contains(where: { isAbout($0, group) }) {
      let known = Self.names(of: try candidates(of: nil)).filter { !$0.contains(".") }
      throw .noSuchProperty(group, nearest: Spelling.nearest(to: group, among: known))
    }
    return groups.isEmpty ? all : all.filter { one in groups.contains { isAbout(one, $0) } }
  }

  private func candidates(of subject: String?) throws(PropertyLabError) -> [Chosen] {
    guard let subject else {
      return all.flatMap { one in one.properties.map { Chosen(core: one.core, subject: nil, property: $0) } }
    }
    for catalogue in all {
      if let mutant = catalogue.mutant(subject) {
        return mutant.properties.map { Chosen(core: catalogue.core, subject: subject, property: $0) }
      }
    }
    throw .noSuchSubject(subject, nearest: Spelling.nearest(to: subject, among: subjects), known: subjects)
  }

  /// Ids, and the groups that they begin with.
  private static func names(of candidates: [Chosen]) -> [String] {
    let ids = candidates.map(\.property.id)
    return ids + Set(ids.compactMap { $0.split(separator: ".").first.map(String.init) }).sorted()
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

/// What cannot be put under test.
package enum PropertyLabError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No property has that id, and no group of them that name.
  case noSuchProperty(String, nearest: String?)
  case noSuchSubject(String, nearest: String?, known: [String])

  package var description: String {
    switch self {
    case .noSuchProperty(let found, let nearest):
      "unknown property '\(found)'\(nearest.map { "; did you mean '\($0)'?" } ?? ";")"
        + " 'assay properties list' names them all."
    case .noSuchSubject(let found, let nearest, let known):
      "unknown mutant '\(found)'\(nearest.map { " (did you mean '\($0)'?)" } ?? ""), expected "
        + (known.isEmpty ? "none: there is no mutant." : "one of \(known.joined(separator: ", ")).")
    }
  }
}
