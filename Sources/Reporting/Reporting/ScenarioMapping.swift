// SPDX-License-Identifier: GPL-3.0-or-later

/// A mapping of a scenario whose keys are all known.
package struct ScenarioMapping {
  package let place: ScenarioField
  private let fields: [String: ScenarioField]

  init(at place: ScenarioField, fields: [String: ScenarioField]) {
    self.place = place
    self.fields = fields
  }

  /// The value of a key; `nil` where the key is not there.
  package subscript(key: String) -> ScenarioField? { fields[key] }

  /// The value of a key that must be there.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - expected: what should stand there, for the error.
  /// - Returns: the value with its place.
  /// - Throws: `ReportingError.missingKey`.
  package func required(_ key: String, expected: String) throws(ReportingError) -> ScenarioField {
    guard let field = fields[key] else {
      let path = place.path.isEmpty ? key : "\(place.path).\(key)"
      throw .missingKey(file: place.file, line: place.line, field: path, expected: expected)
    }
    return field
  }
}
