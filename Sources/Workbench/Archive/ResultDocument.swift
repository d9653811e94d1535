// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting
package import Scenarios

/// `result.json`: only data that the scenario and its seed determine.
package struct ResultDocument: Hashable, Sendable {
  package internal(set) var version = Version.current
  /// The name of the scenario's file, without folder and ending: `quick`.
  package let slug: String
  package let name: String
  package let kind: String
  /// The digest of the scenario as resolved, 8 hexadecimal digits.
  package let digest: String
  /// The evaluated thresholds. Their lines in the scenario's file are not stored, since a comment moves them: they are
  /// 0 in a document that was read.
  package internal(set) var thresholds: [EvaluatedThreshold]
  package let measurements: [Measurement]
  package let data: JSONValue
  /// True if the run came to its end; `false` makes it `partial.json`, which is not the result.
  package internal(set) var isComplete = true
  /// The run that relative thresholds were compared with; `nil` if none was.
  var baseline: JSONValue?

  package var verdict: Verdict { .all(thresholds.map(\.verdict)) }
}

extension ResultDocument {
  /// The document of a scenario's outcome, its thresholds evaluated.
  package init(
    _ outcome: ScenarioResult, of scenario: Scenario, against baseline: BaselineRun? = nil, gsl: String = "",
    build: RunRecord.Build = RunRecord.Build()
  ) {
    let earlier = baseline?.baseline(of: outcome, scenario, gsl: gsl, build: build)
    self.init(
      slug: scenario.slug, name: scenario.name, kind: scenario.kind, digest: scenario.digest,
      thresholds: scenario.evaluated(by: outcome, against: earlier), measurements: outcome.measurements,
      data: outcome.data, isComplete: outcome.isComplete,
      baseline: scenario.relativeThresholds.isEmpty ? nil : baseline?.json)
  }

  /// The document, its schema first; the same for the same scenario, seed and version at any number of workers.
  package var json: JSONValue { json(by: version) }

  func json(by version: String) -> JSONValue {
    var members = [JSONMember("schema", .string(Schema.result.text)), JSONMember("complete", .bool(isComplete))]
    if !isComplete {
      let notice = "This is not the result: the run was ended early, and these are its partial results."
      members.append(JSONMember("notice", .string(notice)))
    }
    members += [
      JSONMember("assay", .string(version)),
      JSONMember(
        "scenario",
        ["slug": .string(slug), "name": .string(name), "kind": .string(kind), "digest": .string(digest)]),
      JSONMember("verdict", .string(verdict.rawValue)),
      JSONMember("thresholds", .array(thresholds.map(\.json))),
      JSONMember("measurements", .array(measurements.map(\.json))),
      JSONMember("data", data),
    ]
    if let baseline { members.append(JSONMember("baseline", baseline)) }
    return .object(members)
  }

  /// The part that the scenario and its seed alone determine: without thresholds, which may depend on a baseline.
  func measured(by version: String) -> JSONValue {
    var document = self
    (document.thresholds, document.baseline) = ([], nil)
    return document.json(by: version)
  }

  package var text: String { json.text }

  package init(contentsOf path: String) throws(ArchiveError) {
    try self.init(json: ArchiveError.about(try JSONValue(parsing: TextFile.read(path), file: path)), file: path)
  }

  /// Reads a document. Unknown members are ignored.
  init(json: JSONValue, file: String) throws(ArchiveError) {
    let document = JSONField(json, file: file)
    try Schema.result.check(document)
    self = try ArchiveError.about(try Self(known: document))
  }

  private init(known document: JSONField) throws(ReportingError) {
    let scenario = try document.required("scenario")
    let thresholds = try document.required("thresholds").elements().map { field throws(ReportingError) in
      try EvaluatedThreshold(json: field)
    }
    let measurements = try document.required("measurements").elements().map { field throws(ReportingError) in
      try Measurement(json: field)
    }
    self.init(
      version: try document.required("assay").string(), slug: try scenario.required("slug").string(),
      name: try scenario.required("name").string(), kind: try scenario.required("kind").string(),
      digest: try scenario.required("digest").string(), thresholds: thresholds, measurements: measurements,
      data: try document.required("data").value, isComplete: try document.required("complete").bool(),
      baseline: try document.member("baseline")?.value)
  }
}

/// The form of a JSON file: a name and a number, as in `assay.result/1`.
///
/// The number grows when a reader of the previous form would misunderstand the file; added members do not change it.
struct Schema: Hashable {
  static let result = Schema(name: "assay.result", number: 1)
  static let run = Schema(name: "assay.run", number: 1)
  static let runs = Schema(name: "assay.runs", number: 1)

  let name: String
  let number: Int

  var text: String { "\(name)/\(number)" }

  /// Checks that a document is of this form.
  func check(_ document: JSONField) throws(ArchiveError) {
    let found = try ArchiveError.about(try document.required("schema").string())
    let parts = found.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == name, let number = Int(parts[1]), number >= 1 else {
      throw .otherSchema(file: document.file, found: found, expected: text)
    }
    guard number <= self.number else {
      let version = try? document.member("assay")?.string()
      throw .newerSchema(file: document.file, found: found, known: text, version: version)
    }
  }
}

extension ArchiveError {
  static func about<Value>(_ work: @autoclosure () throws(ReportingError) -> Value) throws(ArchiveError) -> Value {
    do { return try work() } catch { throw .file(error) }
  }
}
