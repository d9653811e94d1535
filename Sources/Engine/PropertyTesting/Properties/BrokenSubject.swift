// SPDX-License-Identifier: GPL-3.0-or-later

/// A variant of the code on trial with one fault put in on purpose: what shows that the properties can fail.
public struct BrokenSubject: Sendable {
  /// What the command line calls it, such as `soft-ace-stays`.
  public let name: String
  /// What was broken, in a line.
  public let fault: String
  /// The core's properties, in the catalogue's order, about this variant.
  public let properties: [Property]

  /// Creates a broken subject.
  ///
  /// - Parameters:
  ///   - name: A name that no other subject of the catalogue has.
  ///   - fault: What was broken, in a line.
  ///   - properties: The core's properties about this variant, with the ids that they have in the catalogue.
  public init(_ name: String, _ fault: String, properties: [Property]) {
    self.name = name
    self.fault = fault
    self.properties = properties
  }
}
