// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc

/// The word for all addresses of this machine.
enum EveryAddress {
  /// `*` as the address to listen on: that of IPv6, which also takes connections of IPv4, unless the machine has none.
  static func host(_ host: String) -> String {
    guard host == "*" else { return host }
    let socket = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return "0.0.0.0" }
    close(socket)
    return "::"
  }
}
