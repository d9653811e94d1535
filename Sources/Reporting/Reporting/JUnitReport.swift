// SPDX-License-Identifier: GPL-3.0-or-later

/// Results as the XML that build servers read, in the dialect of JUnit.
package struct JUnitReport: Hashable, Sendable {
  /// What became of a case.
  package enum Outcome: Hashable, Sendable {
    case passed
    /// It ran and failed: in a line, and in full.
    case failed(message: String, details: String)
    /// It could not be evaluated: in a line, and in full.
    case broken(message: String, details: String)
  }

  /// A case of a suite.
  package struct Case: Hashable, Sendable {
    /// The case's name.
    package let name: String
    /// The group it belongs to, which servers show as its class.
    package let group: String
    /// What became of it.
    package let outcome: Outcome
    /// What was written while it ran.
    package let output: String

    package init(name: String, group: String, outcome: Outcome, output: String = "") {
      (self.name, self.group, self.outcome, self.output) = (name, group, outcome, output)
    }

    /// The case with other texts below the same name.
    package func mapped(_ text: (String) -> String) -> Case {
      let outcome: Outcome =
        switch outcome {
        case .passed: .passed
        case .failed(let message, let details): .failed(message: text(message), details: text(details))
        case .broken(let message, let details): .broken(message: text(message), details: text(details))
        }
      return Case(name: name, group: group, outcome: outcome, output: text(output))
    }
  }

  /// The suite's name.
  package let name: String
  /// The cases, in order.
  package let cases: [Case]

  package init(name: String, cases: [Case]) {
    (self.name, self.cases) = (name, cases)
  }

  /// The document, with a line end behind it.
  package var text: String {
    let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
    let errors = cases.count { if case .broken = $0.outcome { true } else { false } }
    let suite = [
      ("name", name), ("tests", "\(cases.count)"), ("failures", "\(failures)"), ("errors", "\(errors)"),
    ]
    return #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n<testsuites>\n  <testsuite\(Self.attributes(suite))>\n"
      + cases.map(Self.element).joined() + "  </testsuite>\n</testsuites>\n"
  }

  private static func element(_ one: Case) -> String {
    var children = ""
    switch one.outcome {
    case .passed: break
    case .failed(let message, let details): children += child("failure", [("message", message)], details)
    case .broken(let message, let details): children += child("error", [("message", message)], details)
    }
    if !one.output.isEmpty { children += child("system-out", [], one.output) }
    let head = "    <testcase" + attributes([("classname", one.group), ("name", one.name)])
    return children.isEmpty ? head + "/>\n" : head + ">\n" + children + "    </testcase>\n"
  }

  private static func child(_ name: String, _ values: [(String, String)], _ text: String) -> String {
    "      <\(name)\(attributes(values))>\(XMLText.escaped(text))</\(name)>\n"
  }

  private static func attributes(_ values: [(name: String, value: String)]) -> String {
    values.map { " \($0.name)=\"\(XMLText.escaped($0.value).replacing("\n", with: "&#10;"))\"" }.joined()
  }
}
