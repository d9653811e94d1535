// SPDX-License-Identifier: GPL-3.0-or-later
internal import Foundation

/// A program on the path, run without a shell in a folder of its own that is removed afterwards.
struct ExternalProgram: Hashable, Sendable {
  /// What came out of a run.
  struct Outcome {
    let status: Int32
    let output: Data
    let errors: String
  }

  /// What people call it.
  let name: String
  /// Where it is.
  let path: String
  /// The longest it may run, in seconds.
  let patience: Double
  /// Where its folder is made.
  var workspace = FileManager.default.temporaryDirectory

  /// Looks for a program in the folders of `PATH`, in their order.
  ///
  /// - Returns: `nil` where there is none that may be executed.
  static func find(_ name: String, environment: [String: String], patience: Double) -> ExternalProgram? {
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let path = folders.map { "\($0)/\(name)" }.first { candidate in
      var isFolder: ObjCBool = false
      let exists = unsafe FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder)
      return exists && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: candidate)
    }
    return path.map { ExternalProgram(name: name, path: $0, patience: patience) }
  }

  /// Runs the program to its end.
  ///
  /// Input and output pass through files, so neither side can wait for the other with a full pipe.
  ///
  /// - Parameters:
  ///   - arguments: its arguments, as they are.
  ///   - input: what it reads on its standard input.
  ///   - figure: what is drawn, for errors.
  /// - Returns: how it ended and what it wrote.
  /// - Throws: `FigureError.timedOut`, `.failed` where it cannot be started, or `.noWorkingFolder`.
  func run(_ arguments: [String], input: Data, figure: String) throws(FigureError) -> Outcome {
    let manager = FileManager.default
    let folder = workspace.appendingPathComponent("assay-\(UUID().uuidString)")
    do {
      try manager.createDirectory(at: folder, withIntermediateDirectories: false)
    } catch {
      throw .noWorkingFolder(path: workspace.path, cause: error.localizedDescription)
    }
    defer { try? manager.removeItem(at: folder) }
    let files = ["input", "output", "errors"].map { folder.appendingPathComponent($0) }
    let handles: [FileHandle]
    do {
      for (file, content) in zip(files, [input, Data(), Data()]) { try content.write(to: file) }
      handles = [
        try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
        try FileHandle(forWritingTo: files[2]),
      ]
    } catch {
      throw .noWorkingFolder(path: folder.path, cause: error.localizedDescription)
    }
    defer { for handle in handles { try? handle.close() } }
    let status = try wait(for: arguments, handles: handles, folder: folder, figure: figure)
    let output = (try? Data(contentsOf: files[1])) ?? Data()
    let errors = (try? Data(contentsOf: files[2])).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return Outcome(status: status, output: output, errors: errors)
  }

  private func wait(
    for arguments: [String], handles: [FileHandle], folder: URL, figure: String
  ) throws(FigureError) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // Nothing of the person's own set-up may change a picture; fonts are found through the home folder's cache.
    process.environment = ["LC_ALL": "C.UTF-8", "HOME": folder.path, "PATH": "/usr/local/bin:/usr/bin:/bin"]
    (process.standardInput, process.standardOutput, process.standardError) = (handles[0], handles[1], handles[2])
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do {
      try process.run()
    } catch {
      throw .failed(program: name, figure: figure, problem: error.localizedDescription)
    }
    guard ended.wait(timeout: .now() + patience) == .success else {
      process.terminate()
      if ended.wait(timeout: .now() + 1) == .timedOut { kill(process.processIdentifier, SIGKILL) }
      throw .timedOut(program: name, figure: figure, seconds: patience)
    }
    return process.terminationStatus
  }
}
