// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// Writes a package with one experiment, which builds, runs and passes its tests as it is.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Writes a package with an experiment of your own.",
    discussion: """
      Example: assay new coffee
      Example: assay new coffee --in ~/work --assay ~/assay

      The package has one source file, tests, a scenario with a threshold, a workflow for CI and a README with its \
      commands. It builds and passes as it is: a counter at which customers wait, to be replaced by what you test.
      """)

  @Argument(help: "The name of the package, its program and the first word of its kinds. Example: coffee")
  var name: String

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp("The folder that gets the package's folder. Example: --in ~/work", valueName: "folder"),
    completion: .directory)
  var parent = "."

  @Option(
    help: ArgumentHelp(
      "Where the package finds Assay: a checkout, or the address of a repository (default: the checkout that this "
        + "program was built from). Example: --assay ~/assay",
      valueName: "place"),
    completion: .directory)
  var assay: String?

  func run() throws {
    let package = try NewPackage(name: name, dependency: dependency())
    let folder = URL(fileURLWithPath: parent).appendingPathComponent(name).standardizedFileURL
    let there = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    guard there.isEmpty else {
      throw CommandError.badValue(
        option: "new", found: folder.path,
        expected: "a folder that is empty or does not exist; this one has \(there.count) files")
    }
    for (path, content) in package.files {
      let file = folder.appendingPathComponent(path)
      do {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      } catch {
        throw ReportingError.unwritable(
          path: file.deletingLastPathComponent().path, cause: SystemCause.message(of: error),
          cure: "name a folder that can be written, by --in")
      }
      try OutputFile(file.path).write(Data(content.utf8))
    }
    try Console.write(
      """
      wrote \(folder.path)
      next:
        cd \(ShellLine.text([folder.path]))
        swift run -c release \(name) counter
        swift test

      """)
  }

  /// The dependency on Assay in Package.swift.
  private func dependency() throws -> String {
    if let assay, assay.contains("://") || assay.hasPrefix("git@") {
      return "url: \"\(assay)\", branch: \"main\""
    }
    guard let root = assay.map({ ($0 as NSString).expandingTildeInPath }) ?? SourceTree.root else {
      throw CommandError.refused(
        "no --assay: name a checkout of Assay or its address, since this program is not in one.")
    }
    let path = URL(fileURLWithPath: root).standardizedFileURL.path
    guard FileManager.default.fileExists(atPath: path + "/Sources/Workbench") else {
      throw CommandError.badValue(
        option: "--assay", found: path, expected: "a checkout of Assay, which has Sources/Workbench, or an address")
    }
    return "name: \"Assay\", path: \"\(path)\""
  }
}

/// The files of a new package.
package struct NewPackage {
  let name: String
  /// The arguments of `.package(...)` for Assay.
  let dependency: String

  private static let reserved: Set<String> = [
    "actor", "any", "as", "async", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "package", "precondition", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "var", "where", "while", "counter", "day", "swift", "test", "help",
  ]

  package init(name: String, dependency: String) throws(CommandError) {
    let isIdentifier =
      name.first.map { $0.isASCII && $0.isLowercase } == true
      && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber) } && name.count <= 40
    guard isIdentifier else {
      throw .badValue(
        option: "new", found: name,
        expected: "a name of at most 40 lower-case letters and digits that begins with a letter, such as coffee")
    }
    guard !Self.reserved.contains(name), !RootCommand.verbs.contains(where: { $0._commandName == name }) else {
      throw .badValue(option: "new", found: name, expected: "another name: Swift, or every program, has this word")
    }
    (self.name, self.dependency) = (name, dependency)
  }

  /// Paths with their contents: the renamed files of `Examples/coffee`, to which the files of `Template` are links.
  package var files: [(path: String, content: String)] {
    [
      ("Package.swift", PackageResources.Package_swift_txt),
      ("Sources/coffee/Coffee.swift", PackageResources.Coffee_swift_txt),
      ("Tests/CoffeeTests/CoffeeTests.swift", PackageResources.CoffeeTests_swift_txt),
      ("Scenarios/settled.yaml", PackageResources.settled_yaml),
      (".github/workflows/coffee.yml", PackageResources.workflow_yml), ("README.md", PackageResources.README_md),
      (".gitignore", Array(".build/\nResults/\n".utf8)),
    ].map { (renamed($0), renamed(String(decoding: $1, as: UTF8.self))) }
  }

  private func renamed(_ text: String) -> String {
    text.replacing("coffee", with: name).replacing("Coffee", with: name.prefix(1).uppercased() + name.dropFirst())
      .replacing("name: \"Assay\", path: \"../..\"", with: dependency)
  }
}
