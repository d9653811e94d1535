// SPDX-License-Identifier: GPL-3.0-or-later
public import Reporting
public import Scenarios

/// `result.json`: what the scenario and its seed determine, and nothing else.
public struct ResultDocument: Hashable, Sendable {
  /// The version of Assay that made it.
  public let version: String
  /// What the scenario's file is called, without folder and ending: `quick`.
  public let slug: String
  /// What people call the scenario.
  public let name: String
  /// The kind of scenario.
  public let kind: String
  /// The digest of the scenario as resolved, 8 hexadecimal digits.
  public let digest: String
  /// The thresholds, judged. Their lines are those of the scenario's file, which are not kept, since a comment moves
  /// them: they are 0 in a document that was read.
  public let thresholds: [JudgedThreshold]
  /// What was measured.
  public let measurements: [Measurement]
  /// What the kind keeps beside that, in its own schema.
  public let data: JSONValue
  /// Whether the run came to its end; `false` makes it `partial.json`, which is not the result.
  public let isComplete: Bool

  /// A result.
  public init(
    version: String = Version.current, slug: String, name: String, kind: String, digest: String,
    thresholds: [JudgedThreshold], measurements: [Measurement], data: JSONValue, isComplete: Bool = true
  ) {
    (self.version, self.slug, self.name, self.kind, self.digest) = (version, slug, name, kind, digest)
    (self.thresholds, self.measurements, self.data) = (thresholds, measurements, data)
    self.isComplete = isComplete
  }

  /// What all thresholds come to.
  public var judgement: Judgement { .all(thresholds.map(\.judgement)) }
}
