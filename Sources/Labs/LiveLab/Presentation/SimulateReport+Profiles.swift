// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

extension SimulateReport {
  /// What each profile is: what its sessions draw, and why its limit is what it is.
  var profiles: Table {
    var table = Table([
      Table.Column("profile"), Table.Column("what it stands for"), Table.Column("what a session draws"),
      Table.Column("limit", .right), Table.Column("why"),
    ])
    for finding in result.findings {
      let profile = finding.profile
      table.add([profile.name, profile.meaning, profile.definition, time(profile.limit), profile.reason])
    }
    return table
  }
}
