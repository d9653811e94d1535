// SPDX-License-Identifier: GPL-3.0-or-later

/// A fault to put into the production code, and how soon which property has to catch it.
public struct Mutation<Operations>: Sendable {
  /// What the command line calls it, such as `soft-ace-stays`.
  public let name: String
  /// What is wrong with the mutated code, in a line.
  public let fault: String
  let expectation: Mutant.Expectation
  let change: @Sendable (inout Operations) -> Void

  /// Creates a mutation.
  ///
  /// - Parameters:
  ///   - name: A name that no other mutation has.
  ///   - fault: What is wrong with the mutated code, in a line.
  ///   - property: The id of the property that has to catch it.
  ///   - cases: Within how many cases, from any seed tried.
  ///   - smallest: The arguments of the smallest counterexample; empty where there are several.
  ///   - change: Replaces operations of the production code by wrong ones.
  public init(
    _ name: String, _ fault: String, caughtBy property: String, within cases: Int, smallest: [String] = [],
    change: @escaping @Sendable (inout Operations) -> Void
  ) {
    self.name = name
    self.fault = fault
    expectation = Mutant.Expectation(property: property, cases: cases, smallest: smallest)
    self.change = change
  }
}

/// Mutated code, under the properties of its catalogue: they have to fail where the production code passes.
public struct Mutant: Sendable {
  /// What the command line calls it, such as `soft-ace-stays`.
  public let name: String
  /// What is wrong with the mutated code, in a line.
  public let fault: String
  /// The catalogue's properties, in its order and with its ids, of the mutated code.
  public let properties: [Property]
  package let expectation: Expectation?

  /// What has to catch a mutant, and how soon.
  package struct Expectation: Sendable {
    package let property: String
    package let cases: Int
    package let smallest: [String]
  }

  package init(_ name: String, _ fault: String, expectation: Expectation? = nil, properties: [Property]) {
    self.name = name
    self.fault = fault
    self.expectation = expectation
    self.properties = properties
  }
}

public typealias BrokenSubject = Mutant
