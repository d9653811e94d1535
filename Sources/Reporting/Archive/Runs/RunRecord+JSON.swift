// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation
package import Reporting

extension RunRecord {
  /// The record; its dates are in UTC, by ISO 8601.
  package var json: JSONValue { .object(members) }

  var members: [JSONMember] {
    [
      JSONMember("status", .string(status.rawValue)),
      JSONMember("started", .string(Self.text(of: started))),
      JSONMember("ended", ended.map { .string(Self.text(of: $0)) } ?? .null),
      JSONMember("wallSeconds", wallSeconds.map { .number($0) } ?? .null),
      JSONMember("cpuSeconds", cpuSeconds.map { .number($0) } ?? .null),
      JSONMember("assay", .string(assay)),
      JSONMember("gsl", .string(gsl)),
      JSONMember("command", .string(command)),
      JSONMember("workers", .integer(workers)),
      JSONMember("process", .integer(process)),
      JSONMember(
        "machine",
        [
          "host": .string(machine.host), "system": .string(machine.system),
          "architecture": .string(machine.architecture), "cores": .integer(machine.cores),
        ]),
      JSONMember("error", .string(error)),
      JSONMember("remarks", .array(remarks.map { .string($0) })),
      JSONMember("files", .array(files.map { .string($0) })),
    ]
  }

  /// Reads a record. Members that this version does not know are passed over.
  ///
  /// - Parameter json: what `json` wrote, with its place.
  /// - Throws: `ReportingError.badMember`.
  package init(json: JSONField) throws(ReportingError) {
    let status = try json.required("status")
    guard let known = Status(rawValue: try status.string()) else {
      throw status.bad(expected: "one of \(Status.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let machine = try json.required("machine")
    self.init(
      status: known, started: try Self.date(json.required("started")),
      ended: try Self.optional(json, "ended", Self.date),
      wallSeconds: try Self.optional(json, "wallSeconds") { field throws(ReportingError) in try field.number() },
      cpuSeconds: try Self.optional(json, "cpuSeconds") { field throws(ReportingError) in try field.number() },
      assay: try json.required("assay").string(), gsl: try json.required("gsl").string(),
      command: try json.required("command").string(), workers: try json.required("workers").integer(),
      process: try json.required("process").integer(),
      machine: Machine(
        host: try machine.required("host").string(), system: try machine.required("system").string(),
        architecture: try machine.required("architecture").string(), cores: try machine.required("cores").integer()),
      error: try json.required("error").string(), remarks: try Self.texts(json.required("remarks")),
      files: try Self.texts(json.required("files")))
  }

  /// A date in UTC by ISO 8601, to the second: `2026-11-21T12:00:00Z`.
  package static func text(of date: Date) -> String { date.formatted(.iso8601) }

  private static func date(_ field: JSONField) throws(ReportingError) -> Date {
    guard let date = try? Date(try field.string(), strategy: .iso8601) else {
      throw field.bad(expected: "a date such as 2026-11-21T12:00:00Z")
    }
    return date
  }

  private static func texts(_ field: JSONField) throws(ReportingError) -> [String] {
    var texts: [String] = []
    for element in try field.elements() { texts.append(try element.string()) }
    return texts
  }

  /// A member that may be missing or `null`.
  private static func optional<Value>(
    _ json: JSONField, _ key: String, _ read: (JSONField) throws(ReportingError) -> Value
  ) throws(ReportingError) -> Value? {
    guard let field = try json.member(key), field.value != .null else { return nil }
    return try read(field)
  }
}
