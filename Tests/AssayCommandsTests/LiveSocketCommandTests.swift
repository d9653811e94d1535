// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay live listen, serve and proxy", .timeLimit(.minutes(1)))
struct LiveSocketCommandTests {
  private func listen(_ url: String, _ more: String...) throws -> AssayProcess {
    try AssayProcess("live listen \(url)", more, executable: AssayProcess.executable("assay-live"))
  }

  @Test("a subprotocol is offered by its option, and its header field leads to the option")
  func subprotocol() throws {
    let server = try RunningCommand("live serve --echo --subprotocol mqtt")
    let heard = try listen(server.address, "--count", "1", "--send", "hello", "--subprotocol", "mqtt")
    #expect(heard.status == 0 && heard.output == "hello\n", "\(heard.remarks)")
    try listen(server.address, "--subprotocol", "two words").expectRefusal("found 'two words'")
    try listen(server.address, "--header", "Sec-WebSocket-Protocol: mqtt").expectRefusal("--subprotocol")
  }

  @Test("a redirect is followed without --wait; one that cannot be followed is named, as is a web page")
  func redirect() throws {
    let server = try RunningCommand("live serve --echo")
    func proxy(_ fault: String) throws -> RunningCommand {
      let upstream = server.address.dropFirst("ws://".count).dropLast()
      return try RunningCommand("live proxy --upstream \(upstream) --schedule", "live/1 for=10m; 0s \(fault)")
    }
    let followed = try proxy("redirect for=10m to=plain count=1")
    let heard = try listen("ws://\(followed.address)/", "--count", "1", "--send", "hello")
    #expect(heard.status == 0 && heard.output == "hello\n", "\(heard.remarks)")
    let unusable = try proxy("redirect for=10m to=unusable")
    try listen("ws://\(unusable.address)/").expectRefusal("a redirect to 'mailto:nobody@localhost'; that is no address")
    let page = try proxy("captive-portal for=10m")
    try listen("ws://\(page.address)/").expectRefusal("and no WebSocket; check the address and its path")
  }

  @Test("* listens on all addresses, and is no upstream")
  func everyAddress() throws {
    let server = try RunningCommand("live serve --echo --host *")
    let proxy = try RunningCommand("live proxy --listen *:0 --upstream 127.0.0.1:\(server.port)")
    let heard = try listen("ws://127.0.0.1:\(proxy.port)/", "--count", "1", "--send", "hello")
    #expect(heard.status == 0 && heard.output == "hello\n", "\(heard.remarks)")
    try AssayProcess("live proxy --upstream *:80", executable: AssayProcess.executable("assay-live"))
      .expectRefusal("an address and a port")
  }

  @Test("with a pace a schedule of ten minutes is played to its end, well within the limit of this test")
  func pace() throws {
    func proxy(_ pace: Int) throws -> AssayProcess {
      try AssayProcess(
        "live proxy --upstream 127.77.0.1:4242 --pace \(pace) --schedule", ["live/1 for=10m; 9m reset"],
        executable: AssayProcess.executable("assay-live"))
    }
    let played = try proxy(1_000)
    #expect(played.status == 0 && played.output.contains("9m reset"), "\(played.remarks)")
    #expect(played.remarks.contains("began: reset"), "\(played.remarks)")
    try proxy(0).expectRefusal("--pace")
  }

  @Test("an upstream that refuses is named with the reason and advice")
  func upstream() throws {
    let proxy = try RunningCommand("live proxy --upstream 127.77.0.1:4242")
    #expect(try listen("ws://\(proxy.address)/").status == 2)
    let remark =
      "the upstream 127.77.0.1:4242 cannot be connected to: connection refused; start it, or check --upstream"
    #expect(proxy.remarks(upTo: remark).contains(remark))
  }

  @Test("a signal right after the first line is not lost")
  func signal() throws {
    for _ in 0..<20 {
      #expect(try RunningCommand("live proxy --upstream 127.77.0.1:4242").stop() == 143)
    }
  }
}

/// A command of `assay-live` that runs until this is released.
private final class RunningCommand {
  /// The address in its first line.
  let address: String
  private let process = Process()
  private let errors = Pipe()

  init(_ typed: String, _ more: String...) throws {
    let output = Pipe()
    process.executableURL = try AssayProcess.executable("assay-live")
    process.arguments = typed.split(separator: " ").map(String.init) + more
    process.environment = AssayProcess.environment
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let line = try #require(Self.read(output, upTo: "\n").split(separator: "\n").first)
    address = String(try #require(line.split(separator: " ").last))
  }

  var port: Substring { address.split(separator: ":").last?.prefix { $0 != "/" } ?? "" }

  func remarks(upTo sign: String) -> String { Self.read(errors, upTo: sign) }

  private static func read(_ pipe: Pipe, upTo sign: String) -> String {
    var all = Data()
    while !String(decoding: all, as: UTF8.self).contains(sign) {
      let part = pipe.fileHandleForReading.availableData
      if part.isEmpty { break }
      all += part
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Ends the command by SIGTERM, and returns its exit code.
  @discardableResult
  func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit { stop() }
}
