// SPDX-License-Identifier: Apache-2.0
import Foundation
import PropertyTestingHost
import Testing

@Suite("An expectation in a detached task")
struct DetachedTests {
  private static let isChild = ProcessInfo.processInfo.environment["ASSAY_DETACHED"] == "1"

  // In its own process, because an issue without a test fails the whole run.
  @Test("fails the run", .enabled(if: isChild))
  func child() async throws {
    try await check(Gen.integers(in: 0...9)) { number in
      await Task.detached { #expect(number < 0) }.value
    }
  }

  @Test("is recorded once by the library, and the report of the check says that it came from outside the case")
  func once() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
    process.arguments = ["--testing-library", "swift-testing", "--filter", "DetachedTests/child"]
    process.environment = ProcessInfo.processInfo.environment.merging(["ASSAY_DETACHED": "1"]) { $1 }
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(text.split(separator: "Expectation failed").count == 2, "\(text)")
    #expect(text.contains("the run: PropertyTestingHostTests/DetachedTests.swift:14: an expectation failed outside"))
    #expect(text.contains("with 2 issues"))
  }
}
