// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay live listen, serve and proxy", .timeLimit(.minutes(15)))
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

  @Test("the examples of toxiproxy's README hold for a client of its API")
  func toxiproxy() throws {
    let run = try AssayProcess(
      "python3 scripts/toxiproxy.py", [try AssayProcess.executable("assay-live").path], in: packageRoot,
      executable: URL(fileURLWithPath: "/usr/bin/env"))
    #expect(run.status == 0 && run.output.hasSuffix("All examples hold.\n"), "\(run.output)\(run.remarks)")
  }

  @Test("several proxies are named in the output, and a fault may name one of them")
  func severalProxies() throws {
    let server = try RunningCommand("live serve --echo")
    let two = "live proxy --upstream 127.0.0.1:\(server.port) --upstream 127.0.0.1:\(server.port)"
    func schedule(_ name: String) -> String { "live/1 for=10m; 0s refused for=10m proxy=\(name)" }
    let proxy = try RunningCommand("\(two) --name db --name web --schedule", schedule("db"))
    #expect(try listen("ws://\(proxy.address)/").status == 2)
    let began = "db: began: refused for=10m proxy=db"
    #expect(proxy.remarks(upTo: began).contains(began))
    let web = String(proxy.nextLine().split(separator: " ").last ?? "")
    let heard = try listen("ws://\(web)/", "--count", "1", "--send", "hello")
    #expect(heard.status == 0 && heard.output == "hello\n", "\(heard.remarks)")
    func refused(_ typed: String, _ more: String..., by words: String) throws {
      try AssayProcess(typed, more, executable: AssayProcess.executable("assay-live")).expectRefusal(words)
    }
    try refused("\(two) --name db --name web --schedule", schedule("wbe"), by: "did you mean 'web'")
    try refused("\(two) --listen 127.0.0.1:0", by: "as many as --upstream, 2")
    try refused("\(two) --name a --name a", by: "a different name")
    try refused("live proxy", by: "--upstream: found 'none'")
    try refused("live proxy --upstream 127.0.0.1:1 --control 99999", by: "found '99999', expected a port from 0 to")
    try refused("live proxy --upstream 127.0.0.1:1 --control *:0", by: "--control-any")
    try refused("live proxy --upstream 127.0.0.1:1 --control 0.0.0.0:0", by: "an address of loopback")
    let open = try RunningCommand("live proxy --api toxiproxy --control *:0 --control-any")
    #expect(open.address.contains("[::]:") || open.address.contains("0.0.0.0:"))
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
  private let output = Pipe()
  private let errors = Pipe()
  /// What was read of its output after the first line.
  private var rest = ""

  init(_ typed: String, _ more: String...) throws {
    process.executableURL = try AssayProcess.executable("assay-live")
    process.arguments = typed.split(separator: " ").map(String.init) + more
    process.environment = AssayProcess.environment
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let lines = Self.read(output, upTo: "\n").split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    address = String(try #require(lines.first?.split(separator: " ").last))
    rest = String(lines.last ?? "")
  }

  /// The second line of its output.
  func nextLine() -> Substring {
    if !rest.contains("\n") { rest += Self.read(output, upTo: "\n") }
    return rest.prefix { $0 != "\n" }
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
