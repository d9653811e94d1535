// SPDX-License-Identifier: GPL-3.0-or-later
internal import PropertyTesting

/// A fault to be found by a property: what searching is measured by.
///
/// Source: the workloads of Shi et al., "Etna: an evaluation platform for property-based testing", ICFP 2023.
package struct FaultTask: Sendable {
  /// The name of the fault; nil for the code without one, of which every property holds.
  package let fault: String?
  package let property: String
  package let challenge: Challenge

  init(_ fault: String?, _ property: String, challenge: (_ name: String) -> Challenge) {
    (self.fault, self.property) = (fault, property)
    self.challenge = challenge("\(fault ?? "correct")|\(property)")
  }
}
