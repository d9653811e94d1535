// SPDX-License-Identifier: Apache-2.0
package import Foundation
internal import Synchronization

/// An HTTP server on 127.0.0.1 that answers with whatever bytes a test wants, one connection a request.
package final class LoopbackServer: Sendable {
  /// A request as it came: the head's lines and the body.
  package struct Received: Sendable {
    package let head: [String]
    package let body: String

    package var path: String {
      head.first.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" } ?? ""
    }

    package func header(_ name: String) -> String? {
      head.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map { String($0.dropFirst(name.count + 2)) }
    }
  }

  package enum Answer: Sendable {
    case bytes(String)
    /// The same, where the bytes are no text.
    case data(Data)
    /// An answer without an end: the connection stays open until the client closes it.
    case open(String)
    /// Head and zeros until the client has had enough.
    case endless

    package static func ok(_ body: String, _ headers: String = "") -> Answer { status("200 OK", body, headers) }

    package static func status(_ status: String, _ body: String = "", _ headers: String = "") -> Answer {
      .bytes("HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    }
  }

  package let port: Int
  private let log = Mutex<[Received]>([])
  private let answer: @Sendable (_ number: Int, Received) -> Answer

  package var url: String { "http://127.0.0.1:\(port)" }
  package var received: [Received] { log.withLock { $0 } }

  package struct Failed: Error { package let cause = errno }

  /// Answers to the first request (0), the second (1), and so on. One that does not listen keeps its port, so that
  /// every connection to it is refused. Throws where there is no socket.
  package init(listens: Bool = true, _ answer: @escaping @Sendable (_ number: Int, Received) -> Answer) throws {
    self.answer = answer
    let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(fd, $0, length) == 0 && (!listens || listen(fd, 64) == 0) && getsockname(fd, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard bound else { throw Failed() }
    guard listens else { return }
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(fd, nil, nil)
        guard client >= 0 else { return }
        Thread.detachNewThread { [self] in serve(client) }
      }
    }
  }

  private func serve(_ client: Int32) {
    defer { close(client) }
    guard let request = read(client) else { return }
    let number = log.withLock { log in
      log.append(request)
      return log.count - 1
    }
    switch answer(number, request) {
    case .bytes(let text): _ = write(Data(text.utf8), to: client)
    case .data(let data): _ = write(data, to: client)
    case .open(let text):
      _ = write(Data(text.utf8), to: client)
      var byte: UInt8 = 0
      while unsafe recv(client, &byte, 1, 0) > 0 {}
    case .endless:
      guard write(Data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8), to: client) else { return }
      let zeros = Data(repeating: UInt8(ascii: "0"), count: 1 << 16)
      while write(zeros, to: client) {}
    }
  }

  private func write(_ data: Data, to client: Int32) -> Bool {
    var rest = Array(data)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func read(_ client: Int32) -> Received? {
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.firstRange(of: "\r\n\r\n") {
        let head = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
        let body = Received(head: head, body: String(text[end.upperBound...]))
        if body.body.utf8.count >= body.header("Content-Length").flatMap({ Int($0) }) ?? 0 { return body }
      }
      let count = unsafe recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer.prefix(count)
    }
  }
}
