// SPDX-License-Identifier: GPL-3.0-or-later
internal import AssayCommands
internal import LeagueLab
internal import LiveLab
public import LiveSockets
internal import LiveSoak
internal import NIOCore
public import Reporting
internal import Workbench

/// The program with everything: what `assay` does, the connection on real sockets, and leagues of real services.
@main
enum AssayLive {
  static func main() {
    AssayProgram.main(with: [
      AssayProgram.Addition(
        to: LiveExperiments.self, experiments: [SoakTrial.self],
        commands: [ListenCommand.self, ProxyCommand.self, ServeCommand.self]),
      AssayProgram.Addition(
        to: Leagues.self,
        commands: [
          LeagueConnectCommand.self, LeagueListCommand.self, LeagueRefreshCommand.self, LeagueContextCommand.self,
          LeagueRemoveCommand.self,
        ]),
    ])
  }
}

extension WebSocketError: InputError {}

extension SocketAddress {
  /// The address and the port as they are written: `127.0.0.1:9000`, `[::1]:9000`.
  var text: String {
    let host = ipAddress ?? "127.0.0.1"
    return "\(host.contains(":") ? "[\(host)]" : host):\(port ?? 0)"
  }
}
