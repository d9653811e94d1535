// SPDX-License-Identifier: GPL-3.0-or-later
package import Foundation

/// A suite of results as the XML that build servers read, in the dialect of JUnit.
///
/// The documents are valid by both schemas in use, the one of Jenkins (`junit-10.xsd`) and the one of Ant (`JUnit.xsd`
/// of Windy Road), which requires a package, a time and a host, and allows output of the suite only.
public struct JUnitReport: Hashable, Sendable {
  /// The outcome of a case.
  public enum Outcome: Hashable, Sendable, Codable {
    case passed
    /// It ran and failed: in a line, and in full.
    case failed(message: String, details: String)
    /// It could not be decided: in a line, and in full.
    case undecided(message: String, details: String)
    /// It ended with an error before it was evaluated: in a line, and in full.
    case broken(message: String, details: String)
  }

  /// A case of a suite.
  public struct Case: Hashable, Sendable, Codable {
    package let name: String
    /// The group it belongs to, which servers show as its class.
    package let group: String
    package let outcome: Outcome
    /// The output of the case while it ran.
    package let output: String
    /// The duration; `nil` if it shares the time of its suite with others.
    package let seconds: Double?
    /// The place of the code that the case is about.
    package let location: Place?

    /// A case; a build server shows one that failed at its place.
    public init(
      name: String, group: String, outcome: Outcome, output: String = "", seconds: Double? = nil, location: Place? = nil
    ) {
      (self.name, self.group, self.outcome, self.output) = (name, group, outcome, output)
      (self.seconds, self.location) = (seconds, location)
    }

    /// The case with other texts below the same name.
    package func mapped(_ text: (String) -> String) -> Case {
      let outcome: Outcome =
        switch outcome {
        case .passed: .passed
        case .failed(let message, let details): .failed(message: text(message), details: text(details))
        case .undecided(let message, let details): .undecided(message: text(message), details: text(details))
        case .broken(let message, let details): .broken(message: text(message), details: text(details))
        }
      return Case(
        name: name, group: group, outcome: outcome, output: text(output), seconds: seconds, location: location)
    }
  }

  /// A line of a file.
  public struct Place: Hashable, Sendable, Codable {
    package let file: String
    package let line: Int

    /// A line, from 1, of a file.
    public init(file: String, line: Int) { (self.file, self.line) = (file, line) }
  }

  /// The start, the host and the duration of a suite's run.
  package struct SuiteInfo: Hashable, Sendable {
    package let began: Date
    package let host: String
    package let seconds: Double

    package init(began: Date, host: String, seconds: Double) {
      (self.began, self.host, self.seconds) = (began, host, seconds)
    }
  }

  package let name: String
  package let cases: [Case]
  package let suiteInfo: SuiteInfo

  package init(name: String, cases: [Case], _ suiteInfo: SuiteInfo) {
    (self.name, self.cases, self.suiteInfo) = (name, cases, suiteInfo)
  }

  /// The document of this suite alone.
  package var text: String { Self.text(of: [self]) }

  /// The document of several suites, with a final line end.
  package static func text(of suites: [JUnitReport]) -> String {
    #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<testsuites>\n"
      + suites.enumerated().map { $0.element.suite(number: $0.offset) }.joined() + "</testsuites>\n"
  }

  private func suite(number: Int) -> String {
    let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
    let errors =
      cases.count - failures - cases.count { if case .passed = $0.outcome { true } else { false } }
    let facts = [
      ("name", name), ("package", "assay"), ("id", "\(number)"), ("tests", "\(cases.count)"),
      ("failures", "\(failures)"), ("errors", "\(errors)"), ("time", Self.seconds(suiteInfo.seconds)),
      // The schema of Ant allows no time zone: it is UTC.
      ("timestamp", suiteInfo.began.formatted(.iso8601).replacing("Z", with: "")),
      ("hostname", suiteInfo.host.isEmpty ? "localhost" : suiteInfo.host),
    ]
    let output = cases.filter { !$0.output.isEmpty }.map { "\($0.name)\n\($0.output)\n" }.joined()
    let share = share
    return "  <testsuite\(Self.attributes(facts))>\n    <properties/>\n"
      + cases.map { Self.element($0, share: share) }.joined()
      + "    <system-out>\(XMLText.escaped(output))</system-out>\n    <system-err></system-err>\n  </testsuite>\n"
  }

  /// The seconds of each case that was not timed by itself, so that the times of all cases add up to that of the suite.
  private var share: Double {
    let timed = cases.compactMap(\.seconds)
    return timed.count == cases.count
      ? 0 : max(0, suiteInfo.seconds - timed.reduce(0, +)) / Double(cases.count - timed.count)
  }

  private static func element(_ one: Case, share: Double) -> String {
    let child: String
    switch one.outcome {
    case .passed: child = ""
    case .failed(let message, let details): child = Self.child("failure", type: "failed", message, details)
    case .undecided(let message, let details): child = Self.child("error", type: "undecided", message, details)
    case .broken(let message, let details): child = Self.child("error", type: "error", message, details)
    }
    let facts = [("classname", one.group), ("name", one.name), ("time", seconds(one.seconds ?? share))]
    let head = "    <testcase" + Self.attributes(facts)
    return child.isEmpty ? head + "/>\n" : head + ">\n" + child + "    </testcase>\n"
  }

  private static func child(_ name: String, type: String, _ message: String, _ text: String) -> String {
    let facts = attributes([("message", message), ("type", type)])
    return "      <\(name)\(facts)>\(XMLText.escaped(text))</\(name)>\n"
  }

  private static func seconds(_ value: Double) -> String { NumberFormat.fixed(value, decimals: 3) }

  private static func attributes(_ values: [(name: String, value: String)]) -> String {
    values.map { " \($0.name)=\"\(XMLText.escaped($0.value).replacing("\n", with: "&#10;"))\"" }.joined()
  }
}
