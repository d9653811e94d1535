// SPDX-License-Identifier: GPL-3.0-or-later

/// The version that results name as their maker.
public enum Version {
  /// The version of the workbench, as `major.minor.patch`.
  public static let current = "0.1.0"
}
