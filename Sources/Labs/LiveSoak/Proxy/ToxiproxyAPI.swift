// SPDX-License-Identifier: GPL-3.0-or-later
internal import LiveCore
internal import LiveLab
internal import LiveSockets
internal import NIOCore
internal import Reporting

/// The HTTP API of toxiproxy 2.x, as its README documents it ("HTTP API"), so that its clients drive the proxies.
extension ProxySet {
  /// The version whose API this is, for clients that ask.
  private static let version = "2.12.0"

  func toxiproxy(_ request: ControlRequest) async throws -> ControlRequest.Answer {
    do {
      return try await route(request)
    } catch let error as ReportingError {
      return .toxiproxy(400, "bad request body: \(error)")
    } catch let error as ControlRequest.Answer {
      return error
    }
  }

  private func route(_ request: ControlRequest) async throws -> ControlRequest.Answer {
    let path = request.path
    let isChange = request.method == "POST" || request.method == "PATCH"
    switch (request.method, path.count, path.first, path.count > 2 ? path[2] : "toxics") {
    case ("GET", 1, "version", _): return .init(200, ["version": .string(Self.version)])
    case ("POST", 1, "reset", _): return try await resetAll()
    case ("POST", 1, "populate", _): return await populate(request)
    case ("GET", 1, "proxies", _):
      let all = members.sorted { $0.name < $1.name }.map { JSONMember($0.name, $0.json) }
      return .init(200, .object(all))
    case ("POST", 1, "proxies", _):
      let field = try request.json
      guard let name = try field.optional("name")?.string(), !name.isEmpty else {
        return .toxiproxy(400, "missing required field: name")
      }
      guard position(name) == nil else { return .toxiproxy(409, "proxy already exists") }
      return .init(201, members[try await create(field, name)].json)
    case ("GET", 2, "proxies", _): return .init(200, members[try found(path[1])].json)
    case (_, 2, "proxies", _) where isChange:
      let (position, field) = (try found(path[1]), try request.json)
      try await update(
        position, listen: field.optional("listen")?.string(), upstream: field.optional("upstream")?.string(),
        isEnabled: field.optional("enabled")?.bool())
      return .init(200, members[position].json)
    case ("DELETE", 2, "proxies", _):
      try await members.remove(at: found(path[1])).proxy.stop()
      return .empty
    case ("GET", 3, "proxies", "toxics"): return .init(200, .array(members[try found(path[1])].toxicsInOrder))
    case ("POST", 3, "proxies", "toxics"):
      let position = try found(path[1])
      let toxic = try Toxic(request.json)
      guard !members[position].toxics.contains(where: { $0.toxic.name == toxic.name }) else {
        return .toxiproxy(409, "toxic already exists")
      }
      members[position].toxics.append((toxic, try await members[position].proxy.add(toxic: toxic.fault)))
      return .init(200, toxic.json)
    case (_, 4, "proxies", "toxics"):
      let position = try found(path[1])
      guard let index = members[position].toxics.firstIndex(where: { $0.toxic.name == path[3] }) else {
        return .toxiproxy(404, "toxic not found")
      }
      var (toxic, number) = members[position].toxics[index]
      if request.method == "DELETE" {
        try await members[position].proxy.remove(toxic: number)
        members[position].toxics.remove(at: index)
        return .empty
      }
      if isChange {
        try toxic.update(request.json)
        try await members[position].proxy.change(toxic: number, to: toxic.fault)
        members[position].toxics[index].toxic = toxic
      } else if request.method != "GET" {
        return .toxiproxy(405, "method not allowed")
      }
      return .init(200, toxic.json)
    default: return .toxiproxy(404, "no such endpoint: \(request.method) /\(path.joined(separator: "/"))")
    }
  }

  private func position(_ name: String) -> Int? { members.firstIndex { $0.name == name } }

  private func found(_ name: String) throws(ControlRequest.Answer) -> Int {
    guard let position = position(name) else { throw .toxiproxy(404, "proxy not found") }
    return position
  }

  /// Adds a proxy, enabled unless it is said otherwise. Returns its place.
  private func create(_ field: JSONField, _ name: String) async throws -> Int {
    guard let upstream = try field.optional("upstream")?.string(), !upstream.isEmpty else {
      throw ControlRequest.Answer.toxiproxy(400, "missing required field: upstream")
    }
    let listen = try field.optional("listen")?.string() ?? ""
    let isEnabled = try field.optional("enabled")?.bool() ?? true
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
    let proxy = make(name, listen: address, upstream: try Self.upstream(upstream))
    members.append(Member(name: name, proxy: proxy, listen: listen, upstream: upstream, isEnabled: false))
    do {
      try await proxy.begin(at: epoch)
      if isEnabled { try await update(members.count - 1, listen: nil, upstream: nil, isEnabled: true) }
    } catch {
      members.removeLast()
      try await proxy.stop()
      throw error
    }
    return members.count - 1
  }

  /// Changes what is given. Another address drops all connections, as does disabling.
  private func update(_ position: Int, listen: String?, upstream: String?, isEnabled: Bool?) async throws {
    let member = members[position]
    let (listen, upstream) = (listen ?? member.listen, upstream ?? member.upstream)
    let isEnabled = isEnabled ?? member.isEnabled
    let address = try Self.address(listen)
    let differs = address.text != member.listen || upstream != member.upstream
    guard differs || isEnabled != member.isEnabled else { return }
    let target = try Self.upstream(upstream)
    members[position].isEnabled = false
    if differs { (members[position].listen, members[position].upstream) = (listen, upstream) }
    do {
      if let bound = try await member.proxy.move(to: isEnabled ? address : nil, upstream: target) {
        (members[position].listen, members[position].isEnabled) = (bound.text, true)
      }
    } catch let error as IOError {
      throw ControlRequest.Answer.toxiproxy(
        500, "listen tcp \(address.text): bind: \(SystemCause.message(of: error.errnoCode))")
    }
  }

  /// The address to listen on; without a host every address, and any free port of loopback for an empty text.
  private static func address(_ text: String) throws(ControlRequest.Answer) -> SocketAddress {
    let written = text.isEmpty ? "127.0.0.1:0" : text.hasPrefix(":") ? "*" + text : text
    guard let position = HostPort(written) else {
      throw .toxiproxy(500, "listen tcp: address \(text): missing port in address, or no port from 0 to 65535")
    }
    guard let address = try? position.address else {
      throw .toxiproxy(500, "listen tcp: lookup \(position.host): no such host")
    }
    return address
  }

  private static func upstream(_ text: String) throws(ControlRequest.Answer) -> FaultProxy.Upstream {
    guard let position = HostPort(text) else {
      throw .toxiproxy(400, "bad request body: upstream: found '\(text)', expected an address and a port")
    }
    return position.upstream
  }

  private func resetAll() async throws -> ControlRequest.Answer {
    for position in members.indices {
      try await update(position, listen: nil, upstream: nil, isEnabled: true)
      for (_, number) in members[position].toxics { try await members[position].proxy.remove(toxic: number) }
      members[position].toxics = []
    }
    return .empty
  }

  /// Creates the proxies of a list. One that exists with other addresses is replaced; with the same it is left alone.
  private func populate(_ request: ControlRequest) async -> ControlRequest.Answer {
    var names: [String] = []
    var failure: ControlRequest.Answer?
    do {
      let fields = try request.json.elements()
      for (number, field) in fields.enumerated() {
        for key in ["name", "upstream"] where try (field.optional(key)?.string() ?? "").isEmpty {
          throw ControlRequest.Answer.toxiproxy(400, "missing required field: \(key) at proxy \(number + 1)")
        }
      }
      for field in fields {
        let name = try field.required("name").string()
        if let position = position(name) {
          let address = try Self.address(field.optional("listen")?.string() ?? "")
          let upstream = try field.required("upstream").string()
          if address.text != members[position].listen || upstream != members[position].upstream {
            try await members.remove(at: position).proxy.stop()
          }
        }
        if position(name) == nil { _ = try await create(field, name) }
        names.append(name)
      }
    } catch let error as ControlRequest.Answer {
      failure = error
    } catch {
      failure = .toxiproxy(400, "bad request body: \(error)")
    }
    let made = JSONMember("proxies", .array(names.compactMap { position($0).map { members[$0].json } }))
    return .init(failure?.status ?? 201, .object((failure?.members ?? []) + [made]))
  }
}

extension ProxySet.Member {
  fileprivate var toxicsInOrder: [JSONValue] {
    // Those of the upstream first.
    (toxics.filter { $0.toxic.way == .up } + toxics.filter { $0.toxic.way == .down }).map(\.toxic.json)
  }

  fileprivate var json: JSONValue {
    [
      "name": .string(name), "listen": .string(listen), "upstream": .string(upstream), "enabled": .bool(isEnabled),
      "toxics": .array(toxicsInOrder),
    ]
  }
}

extension ControlRequest.Answer {
  /// An error as toxiproxy gives it.
  static func toxiproxy(_ status: UInt16, _ message: String) -> Self {
    Self(status, ["error": .string(message), "status": .integer(Int(status))])
  }
}
