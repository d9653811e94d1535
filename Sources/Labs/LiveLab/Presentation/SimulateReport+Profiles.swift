// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import Reporting

extension SimulateReport {
  /// How long each profile lets the client take, and why so long.
  var limits: Table {
    var table = Table([
      Table.Column("profile"), Table.Column("what it stands for"), Table.Column("limit", .right),
      Table.Column("made of"),
    ])
    for profile in result.findings.map(\.profile) {
      table.add([profile.name, profile.meaning, time(profile.limit), profile.reason])
    }
    return table
  }

  /// What the sessions of each profile draw.
  var drawn: Table {
    var table = Table([Table.Column("profile"), Table.Column("what a session draws")])
    for profile in result.findings.map(\.profile) { table.add([profile.name, profile.definition]) }
    return table
  }
}
