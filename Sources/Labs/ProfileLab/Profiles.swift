// SPDX-License-Identifier: GPL-3.0-or-later
public import Scenarios

/// Models of user profiles: maps of settings, fields that save themselves, and dashboards.
public enum Profiles {
  public static let summary = "Profile settings: how many steps away each one is, and an editor that must lose no edit."
  public static var experiments: [any Experiment.Type] { [EditRun.self, NavigateRun.self, MapCheck.self] }
}
