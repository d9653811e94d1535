// SPDX-License-Identifier: GPL-3.0-or-later
public import Scenarios

/// Profiles: maps of settings, editors that save themselves, dashboards.
public enum Profiles {
  public static let summary = "Profile settings: a map within two steps, and editors that lose no edit."
  public static var experiments: [any Experiment.Type] { [EditRun.self, NavigateRun.self, MapCheck.self] }
}
