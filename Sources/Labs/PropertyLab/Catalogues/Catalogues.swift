// SPDX-License-Identifier: GPL-3.0-or-later
package import PropertyTesting
internal import Reporting

/// Every property that some labs hold, and the choice among them by name.
package struct Catalogues: Sendable {
  /// One catalogue a core.
  package let all: [PropertyCatalogue]

  /// A property, with the broken variant it is about.
  package struct Chosen: Sendable {
    /// The core that it speaks about.
    package let core: String
    /// The broken variant on trial; `nil` for the code that ships.
    package let subject: String?
    /// The property, about that variant.
    package let property: Property
  }

  /// The catalogues of some labs.
  package init(_ all: [PropertyCatalogue]) {
    self.all = all
  }

  /// The names of all broken subjects.
  package var subjects: [String] { all.flatMap { $0.subjects.map(\.name) } }

  /// The properties that patterns choose, each once, in the catalogues' order; all of them where there is no pattern.
  ///
  /// - Parameters:
  ///   - patterns: ids, names of groups such as `league`, or ids with `*` in them.
  ///   - subject: the broken variant they are about; `nil` for the code that ships.
  /// - Returns: the properties, each with the core it is about.
  /// - Throws: `PropertyLabError` naming the pattern that chooses nothing, or the subject that there is none of.
  package func chosen(_ patterns: [String], subject: String?) throws(PropertyLabError) -> [Chosen] {
    let candidates = try candidates(of: subject)
    for pattern in patterns where !candidates.contains(where: { Self.matches($0.property.id, pattern) }) {
      throw .noSuchProperty(pattern, nearest: Spelling.nearest(to: pattern, among: names(of: candidates)))
    }
    return patterns.isEmpty
      ? candidates : candidates.filter { one in patterns.contains { Self.matches(one.property.id, $0) } }
  }

  /// The property of exactly that id.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - subject: the broken variant it is about; `nil` for the code that ships.
  /// - Returns: the property with the core it is about.
  /// - Throws: `PropertyLabError` with the nearest id.
  package func property(_ id: String, subject: String?) throws(PropertyLabError) -> Chosen {
    let candidates = try candidates(of: subject)
    guard let found = candidates.first(where: { $0.property.id == id }) else {
      throw .noSuchProperty(id, nearest: Spelling.nearest(to: id, among: candidates.map(\.property.id)))
    }
    return found
  }

  /// The catalogues of the cores that groups of properties such as `league` are about; all of them for no group.
  ///
  /// - Parameter groups: what ids begin with, before the first point.
  /// - Returns: the catalogues, in order.
  /// - Throws: `PropertyLabError` naming the group that there is none of.
  package func catalogues(of groups: [String]) throws(PropertyLabError) -> [PropertyCatalogue] {
    for group in groups where !all.contains(where: { Self.isAbout($0, group) }) {
      let known = names(of: try candidates(of: nil)).filter { !$0.contains(".") }
      throw .noSuchProperty(group, nearest: Spelling.nearest(to: group, among: known))
    }
    return groups.isEmpty ? all : all.filter { one in groups.contains { Self.isAbout(one, $0) } }
  }

  private static func isAbout(_ catalogue: PropertyCatalogue, _ group: String) -> Bool {
    catalogue.properties.contains { $0.id.hasPrefix(group + ".") }
  }

  private func candidates(of subject: String?) throws(PropertyLabError) -> [Chosen] {
    guard let subject else {
      return all.flatMap { one in one.properties.map { Chosen(core: one.core, subject: nil, property: $0) } }
    }
    for catalogue in all {
      if let broken = catalogue.subject(subject) {
        return broken.properties.map { Chosen(core: catalogue.core, subject: subject, property: $0) }
      }
    }
    throw .noSuchSubject(subject, nearest: Spelling.nearest(to: subject, among: subjects), known: subjects)
  }

  /// Ids, and the groups that they begin with.
  private func names(of candidates: [Chosen]) -> [String] {
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
