// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting
package import Scenarios

/// `result.json`: what the scenario and its seed determine, and nothing else.
package struct ResultDocument: Hashable, Sendable {
  /// The version of Assay that made it.
  package let version: String
  /// What the scenario's file is called, without folder and ending: `quick`.
  package let slug: String
  /// What people call the scenario.
  package let name: String
  /// The kind of scenario.
  package let kind: String
  /// The digest of the scenario as resolved, 8 hexadecimal digits.
  package let digest: String
  /// The thresholds, judged. Their lines are those of the scenario's file, which are not kept, since a comment moves
  /// them: they are 0 in a document that was read.
  package let thresholds: [JudgedThreshold]
  /// What was measured.
  package let measurements: [Measurement]
  /// What the kind keeps beside that, in its own schema.
  package let data: JSONValue
  /// Whether the run came to its end; `false` makes it `partial.json`, which is not the result.
  package let isComplete: Bool

  /// A result.
  package init(
    version: String = Version.current, slug: String, name: String, kind: String, digest: String,
    thresholds: [JudgedThreshold], measurements: [Measurement], data: JSONValue, isComplete: Bool = true
  ) {
    (self.version, self.slug, self.name, self.kind, self.digest) = (version, slug, name, kind, digest)
    (self.thresholds, self.measurements, self.data) = (thresholds, measurements, data)
    self.isComplete = isComplete
  }

  /// What all thresholds come to.
  package var judgement: Judgement { .all(thresholds.map(\.judgement)) }
}
