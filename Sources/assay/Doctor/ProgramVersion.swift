// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// Programs that may be on this machine.
enum ProgramVersion {
  /// Where a program lies; `nil` where it is not on the path.
  static func path(of name: String, environment: [String: String]) -> String? {
    environment["PATH", default: ""].split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// What a program says of its version; `nil` where it is not there or fails.
  static func of(_ name: String, _ arguments: [String], environment: [String: String]) -> String? {
    guard let path = path(of: name, environment: environment) else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: said, as: UTF8.self) : nil
  }
}
