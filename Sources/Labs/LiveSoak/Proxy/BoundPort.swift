// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc
internal import NIOCore

/// A port that stays bound while nobody listens on it. The kernel refuses every connection to it then, and no other
/// program can take it.
final class BoundPort {
  private let handle: CInt
  let address: SocketAddress

  /// Binds an address; port 0 chooses a free one.
  ///
  /// - Throws: `IOError` if the address is in use or not of this machine.
  init(_ wanted: SocketAddress) throws {
    let first = try Self.bound(to: wanted)
    var address = wanted
    if wanted.port == 0 {
      // Linux frees a port that it chose itself when nobody listens any more, so it is bound once more by its number.
      defer { Glibc.close(first) }
      address.port = try Self.port(of: first)
      handle = try Self.bound(to: address)
    } else {
      handle = first
    }
    self.address = address
  }

  /// Listens at once, with room for `backlog` connections that are not accepted yet. Returns another handle of the
  /// socket, to accept them.
  func listen(backlog: CInt) throws -> CInt {
    // With old connections nobody could listen otherwise.
    Self.allowReuse(of: handle, true)
    let copy = try Self.check(fcntl(handle, F_DUPFD_CLOEXEC, 0), "dup")
    if Glibc.listen(copy, backlog) == 0 { return copy }
    let error = IOError(errnoCode: errno, reason: "listen")
    close(copy)
    throw error
  }

  /// Ends listening; connections that were not accepted yet are reset.
  func refuse() {
    shutdown(handle, Int32(SHUT_RD))
    // While nobody listens, others could bind the port otherwise.
    Self.allowReuse(of: handle, false)
  }

  deinit { Glibc.close(handle) }

  private static func bound(to address: SocketAddress) throws -> CInt {
    let family = address.protocol == .inet6 ? AF_INET6 : AF_INET
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let handle = try check(socket(family, type, 0), "socket")
    allowReuse(of: handle, true)
    do {
      try check(unsafe address.withSockAddr { unsafe bind(handle, $0, socklen_t($1)) }, "bind")
    } catch {
      Glibc.close(handle)
      throw error
    }
    return handle
  }

  private static func allowReuse(of handle: CInt, _ isAllowed: Bool) {
    var value: CInt = isAllowed ? 1 : 0
    _ = unsafe setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &value, socklen_t(MemoryLayout<CInt>.size))
  }

  private static func port(of handle: CInt) throws -> Int {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    try check(
      unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(handle, $0, &length) }
      }, "getsockname")
    // After the family, in an address of IPv4 as of IPv6.
    return unsafe withUnsafeBytes(of: address) { unsafe Int($0[2]) << 8 | Int($0[3]) }
  }

  @discardableResult
  private static func check(_ result: CInt, _ call: String) throws -> CInt {
    if result < 0 { throw IOError(errnoCode: errno, reason: call) }
    return result
  }
}
