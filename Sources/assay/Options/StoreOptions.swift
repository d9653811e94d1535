// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import PropertyTesting

/// Where failing cases are kept.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of failing cases, tried first in the next run (default: .assay/examples). Example: --store examples",
      valueName: "folder"),
    completion: .directory)
  var store: String?

  @Flag(help: "Neither try stored cases nor store new ones. Example: --no-store")
  var noStore = false

  /// The store, checked to be writable; `nil` where nothing is stored.
  ///
  /// - Parameter subject: the broken variant on trial, whose failures are not stored.
  /// - Returns: the store, or `nil`.
  /// - Throws: `CommandError` for options that exclude each other, `ExampleStoreError` for a folder that is none.
  func checked(subject: String?) throws -> ExampleStore? {
    if let store, noStore || subject != nil {
      throw CommandError.badValue(
        option: "--store", found: store, expected: "no \(noStore ? "--no-store" : "--subject") beside it")
    }
    if noStore || subject != nil { return nil }
    let chosen = ExampleStore(folder: store ?? ExampleStore.usualFolder)
    try chosen.checkWritable()
    return chosen
  }

  /// Adds the options to an echo.
  func add(to echo: inout CommandLineEcho) {
    if let store { echo.add("--store", store) }
    if noStore { echo.add(["--no-store"]) }
  }
}
