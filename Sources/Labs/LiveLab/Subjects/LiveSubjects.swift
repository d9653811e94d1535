// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore

/// A client that a session can run: the one that ships, or a mutant of it.
package struct LiveVariant: Sendable {
  /// What the command line calls it, such as `live-resets-on-open`.
  package let name: String
  /// What is wrong with it, in a line; of the client that ships, what it is.
  package let fault: String
  let type: any LiveSubject.Type
  /// The number of the property that has to catch it, and within how many cases.
  let caughtBy: Int
  let cases: Int
  /// The arguments of the smallest counterexample.
  let smallest: [String]

  init(
    _ name: String, _ fault: String, _ type: any LiveSubject.Type, caughtBy property: Int = 1, within cases: Int,
    smallest: [String]
  ) {
    (self.name, self.fault, self.type, self.smallest) = (name, fault, type, smallest)
    (caughtBy, self.cases) = (property, cases)
  }
}

/// The clients that a session can run.
package enum LiveSubjects {
  package static let production = LiveVariant(
    "production", "the client that ships", LiveConnection.self, within: 0, smallest: [])

  /// The client that ships first.
  package static let all = [production] + LiveVariant.mutants

  /// Throws `LiveLabError.badValue` with the closest match where there is no client of that name.
  package static func named(_ name: String) throws(LiveLabError) -> LiveVariant {
    if let found = all.first(where: { $0.name == name }) { return found }
    let names = all.map(\.name)
    throw .badValue(
      field: "subject", found: "'\(name)'\(LiveLabError.hint(name, among: names))",
      expected: "one of \(names.joined(separator: ", "))")
  }
}
