// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting
package import Reporting

extension PropertyResult {
  /// The result as a test case for build servers, in the core's group.
  ///
  /// - Parameter origin: lines that stand behind the report of one that does not hold, such as the seed it was tested
  ///   from.
  /// - Returns: the case, with what became of stored examples as its output.
  package func testCase(origin: [String] = []) -> JUnitReport.Case {
    let details = text + origin.map { "  \($0)\n" }.joined()
    let outcome: JUnitReport.Outcome =
      switch status {
      case .holds: .passed
      case .fails: .failed(message: summary, details: details)
      case .broken: .broken(message: summary, details: details)
      }
    return JUnitReport.Case(
      name: "\(chosen.property.id): \(chosen.property.sentence)", group: chosen.core, outcome: outcome,
      output: remarks.joined(separator: "\n"))
  }
}
