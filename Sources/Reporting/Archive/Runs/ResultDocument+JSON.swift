// SPDX-License-Identifier: GPL-3.0-or-later
package import Reporting
internal import Scenarios

extension ResultDocument {
  /// The document, its schema first; the same for the same scenario, seed and version, however it was computed.
  package var json: JSONValue { json(by: version) }

  /// The document as if that version had made it.
  func json(by version: String) -> JSONValue {
    var members = [JSONMember("schema", .string(Schema.result.text)), JSONMember("complete", .bool(isComplete))]
    if !isComplete {
      let notice = "This is not the result: the run was ended early, and this is what was known by then."
      members.append(JSONMember("notice", .string(notice)))
    }
    members += [
      JSONMember("assay", .string(version)),
      JSONMember(
        "scenario",
        ["slug": .string(slug), "name": .string(name), "kind": .string(kind), "digest": .string(digest)]),
      JSONMember("judgement", .string(judgement.rawValue)),
      JSONMember("thresholds", .array(thresholds.map(\.json))),
      JSONMember("measurements", .array(measurements.map(\.json))),
      JSONMember("data", data),
    ]
    return .object(members)
  }

  /// The text of the file.
  package var text: String { json.text }

  /// Reads a file.
  ///
  /// - Parameter path: `result.json` or `partial.json` of a run's folder.
  /// - Throws: `ArchiveError`: the file cannot be read, is damaged, is something else, or was made by a newer Assay.
  package init(contentsOf path: String) throws(ArchiveError) {
    let json = try ArchiveError.about { () throws(ReportingError) in
      try JSONValue(parsing: TextFile.read(path), file: path)
    }
    try self.init(json: json, file: path)
  }

  /// Reads a document. Members that this version does not know are passed over.
  ///
  /// - Parameters:
  ///   - json: the whole document.
  ///   - file: the name that errors give it.
  /// - Throws: `ArchiveError`: the document is damaged, is something else, or was made by a newer Assay.
  package init(json: JSONValue, file: String) throws(ArchiveError) {
    let document = JSONField(json, file: file)
    try Schema.result.check(document, maker: "assay")
    self = try ArchiveError.about { () throws(ReportingError) in try Self(known: document) }
  }

  private init(known document: JSONField) throws(ReportingError) {
    let scenario = try document.required("scenario")
    var thresholds: [JudgedThreshold] = []
    for field in try document.required("thresholds").elements() { thresholds.append(try JudgedThreshold(json: field)) }
    var measurements: [Measurement] = []
    for field in try document.required("measurements").elements() { measurements.append(try Measurement(json: field)) }
    self.init(
      version: try document.required("assay").string(), slug: try scenario.required("slug").string(),
      name: try scenario.required("name").string(), kind: try scenario.required("kind").string(),
      digest: try scenario.required("digest").string(), thresholds: thresholds, measurements: measurements,
      data: try document.required("data").value, isComplete: try document.required("complete").bool())
  }
}
