// SPDX-License-Identifier: GPL-3.0-or-later

/// Something that Assay works with, looked at.
struct Finding: Hashable {
  /// What became of it.
  enum State: String {
    case ok
    /// Needed, and not as it should be.
    case missing
    /// Not as it should be, but nothing fails without it.
    case optional
  }

  /// What was looked at.
  let name: String
  let state: State
  /// What was found.
  let found: String
  /// How to mend it; empty where nothing is to be mended.
  let cure: String

  /// Something that is as it should be.
  static func ok(_ name: String, _ found: String) -> Finding {
    Finding(name: name, state: .ok, found: found, cure: "")
  }

  /// Something needed that is not as it should be.
  static func missing(_ name: String, _ found: String, cure: String) -> Finding {
    Finding(name: name, state: .missing, found: found, cure: cure)
  }

  /// Something that one can do without, and is not as it should be.
  static func optional(_ name: String, _ found: String, cure: String) -> Finding {
    Finding(name: name, state: .optional, found: found, cure: cure)
  }
}
