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
}

/// A command of `assay-live` that runs until this is released.
private final class RunningCommand {
  /// The address in its first line.
  let address: String
  private let process = Process()

  init(_ typed: String, _ more: String...) throws {
    let output = Pipe()
    process.executableURL = try AssayProcess.executable("assay-live")
    process.arguments = typed.split(separator: " ").map(String.init) + more
    process.environment = AssayProcess.environment
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    var begun = Data()
    while !begun.contains(UInt8(ascii: "\n")) {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty { break }
      begun += part
    }
    let line = try #require(String(decoding: begun, as: UTF8.self).split(separator: "\n").first)
    address = String(try #require(line.split(separator: " ").last))
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }
}
