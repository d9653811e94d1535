// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

@Suite("assay live simulate, end to end")
struct LiveSimulateCommandTests {
  @Test("the shipped client reaches the target under every profile and breaks no invariant")
  func production() throws {
    let process = try AssayProcess("live simulate --sessions 20k --jobs 2", environment: ["LC_ALL": "C"])
    #expect(process.status == 0, "\(process.remarks)\(process.output)")
    #expect(process.remarks.isEmpty, "a command echoes itself in --verbose only")
    for profile in ["lift", "tunnel", "commute", "stadium", "server-restart", "rolling-deploy", "bad-wifi", "night"] {
      #expect(process.output.contains(try Regex("\n\(profile) +[0-9.]+% ")), "\(profile)")
    }
  }

  @Test("a broken client fails, and every printed failure can be reproduced")
  func broken() throws {
    let process = try AssayProcess("live simulate tunnel --sessions 400 --subject live-sends-no-pings --jobs 2")
    #expect(process.status == 1)
    #expect(process.remarks.contains("FAILS: "))
    #expect(
      process.remarks.contains("reproduce: assay live simulate tunnel --subject live-sends-no-pings --sessions 400"))
    let commands = process.output.matches(of: #/assay (live timeline .+)\n/#).map { String($0.1) }
    #expect(!commands.isEmpty)
    for command in commands { #expect(try AssayProcess(command).status == 1, "\(command)") }
  }

  @Test("with too few sessions the verdict is undecided and the exit code 3")
  func undecided() throws {
    let process = try AssayProcess("live simulate lift --sessions 20 --jobs 1")
    #expect(process.status == 3)
    #expect(process.remarks.contains("UNDECIDED: 1 of 2 thresholds: reconnect.success"))
  }
}
