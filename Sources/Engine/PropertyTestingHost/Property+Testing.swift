// SPDX-License-Identifier: GPL-3.0-or-later
public import PropertyTesting
public import Testing

extension Property: CustomTestStringConvertible {
  /// Its name and what is claimed, such as `league.2: The order of the teams never matters`.
  public var testDescription: String { "\(id): \(sentence)" }
}
