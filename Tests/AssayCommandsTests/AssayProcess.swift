// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Testing

/// The built executable, run as a person runs it.
struct AssayProcess {
  /// How the process ended.
  let status: Int32
  /// What it wrote as its result.
  let output: String
  /// What it printed to standard error.
  let remarks: String

  /// Runs `assay` with what a person types behind it, words apart by spaces.
  ///
  /// - Parameters:
  ///   - typed: the arguments.
  ///   - more: arguments behind them that have spaces.
  ///   - folder: the working folder.
  ///   - sign: what it says when a signal is to be sent to it.
  ///   - signal: which, where it is not that of Ctrl-C.
  ///   - environment: variables in addition to those of this process.
  ///   - input: the file that it reads as its standard input; nothing where none is named.
  ///   - device: the path of what takes its standard output in place of this process.
  ///   - executable: a copy of the executable to run in its place.
  /// - Throws: where there is no executable to run.
  init(
    _ typed: String, _ more: [String] = [], in folder: URL? = nil, interruptedBy sign: String? = nil,
    signal: Int32 = SIGINT,
    environment: [String: String] = [:], input: URL? = nil, writingTo device: String? = nil,
    executable: URL? = nil
  ) throws {
    let process = Process()
    process.executableURL = try executable ?? Self.executable()
    process.arguments = typed.split(separator: " ").map(String.init) + more
    if let folder { process.currentDirectoryURL = folder }
    process.environment = Self.environment.merging(environment) { $1 }
    let (output, remarks) = (Pipe(), Pipe())
    if let device {
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: device))
      try output.fileHandleForWriting.close()
    } else {
      process.standardOutput = output
    }
    process.standardError = remarks
    process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? FileHandle.nullDevice
    try process.run()
    var begun = Data()
    while let sign, !String(decoding: begun, as: UTF8.self).contains(sign) {
      let more = remarks.fileHandleForReading.availableData
      if more.isEmpty { break }
      begun += more
    }
    if sign != nil { kill(process.processIdentifier, signal) }
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.remarks = String(decoding: begun + remarks.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  /// The variables of this process but those of a build server, which tests that are about it set themselves; the
  /// program is called `assay`.
  static var environment: [String: String] {
    ProcessInfo.processInfo.environment.filter { name, _ in name != "CI" && !name.hasPrefix("GITHUB_") }
      .merging(["ASSAY_CALLED_AS": "assay"]) { $1 }
  }

  /// The executable of that name beside the test bundle.
  static func executable(_ name: String = "assay") throws -> URL {
    let bundle = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    let candidates = [bundle, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()]
    for folder in candidates {
      let file = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: file.path) { return file }
    }
    throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "\(name) beside \(bundle.path)"])
  }
}

extension AssayProcess {
  /// Runs a line that bash reads, as somebody would paste it.
  static func bash(_ line: String, in folder: URL? = nil) throws -> AssayProcess {
    try AssayProcess("-c", [line], in: folder, executable: URL(fileURLWithPath: "/bin/bash"))
  }

  /// The words that bash makes of a line.
  static func words(of line: String) throws -> [String] {
    try bash("printf '%s\\0' \(line)").output.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// The object that it wrote as JSON.
  func json() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
  }

  /// Expects that it refused its input, with that problem, and had no result.
  func expectRefusal(_ problem: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(status == 2, "\(remarks)", sourceLocation: sourceLocation)
    #expect(
      remarks.contains("error: ") && remarks.contains(problem), "\(remarks)", sourceLocation: sourceLocation)
    #expect(output.isEmpty, sourceLocation: sourceLocation)
  }
}

/// The folder of the package.
let packageRoot = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
