// SPDX-License-Identifier: GPL-3.0-or-later
internal import AssayCommands
public import LiveSockets
internal import LiveSoak
public import Reporting
internal import Workbench

/// The whole program: the commands of `assay`, and the connection on real sockets.
@main
enum AssayLive: WorkbenchProgram {
  static let name = AssayProgram.name
  static let summary = AssayProgram.summary
  static let methods = AssayProgram.methods
  static let firstSteps = AssayProgram.firstSteps
  static let labs = AssayProgram.labs.map { lab in
    switch lab.name {
    case "live":
      lab.adding(
        experiments: [SoakTrial.self], commands: [ListenCommand.self, ProxyCommand.self, ServeCommand.self])
    default: lab
    }
  }
}

extension WebSocketError: InputError {}
