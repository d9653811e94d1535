// SPDX-License-Identifier: GPL-3.0-or-later
internal import ArgumentParser
internal import Foundation
internal import Reporting

/// Writes a package with one experiment, which builds, runs and passes its tests unchanged.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Writes a package with an experiment of your own.",
    discussion: """
      Example: assay new coffee --assay https://example.com/assay.git@0.1.0
      Example: assay new coffee --in ~/work --assay ~/assay
      Example: assay new shop --template process --assay ~/assay

      With the address of a repository the package builds on every machine and in CI. A path is for trying out on this \
      one, and Package.swift says so.

      The package has one source file, tests, a scenario with a threshold, a workflow for CI and a README with its \
      commands. It builds and passes unchanged, to be replaced by what you test: a counter at which customers wait, or \
      with '--template process' machines that fail and are repaired, as processes in simulated time.
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
      "Where the package finds Assay: the address of a repository with a version, branch or commit, or to try it out "
        + "the path of a checkout (default: the one that this program was built from). "
        + "Example: --assay https://example.com/assay.git@0.1.0",
      valueName: "url@version"),
    completion: .directory)
  var assay: String?

  @Option(
    help: ArgumentHelp(
      "What the package begins with: a function that draws a sample, or processes in simulated time. "
        + "Example: --template process",
      valueName: "name"))
  var template = NewPackage.Template.counter

  func run() throws {
    let location = try location()
    let package = try NewPackage(name: name, from: location, template)
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
        swift run -c release \(name) \(template.experiment)
        swift test

      """)
    if case .folder(let path) = location {
      Console.say(
        "note: Package.swift finds Assay in '\(path)', for trying out on this machine; for others and CI: --assay "
          + "URL@VERSION")
    }
  }

  private func location() throws -> NewPackage.Place {
    if let assay, assay.contains("://") || assay.hasPrefix("git@") { return NewPackage.Place(address: assay) }
    guard let root = assay.map({ ($0 as NSString).expandingTildeInPath }) ?? SourceTree.root else {
      throw CommandError.refused(
        "no --assay: name a checkout of Assay or its address, since this program is not in one.")
    }
    let path = URL(fileURLWithPath: root).standardizedFileURL.path
    guard FileManager.default.fileExists(atPath: path + "/Sources/Workbench") else {
      throw CommandError.badValue(
        option: "--assay", found: path, expected: "a checkout of Assay, which has Sources/Workbench, or an address")
    }
    return .folder(path)
  }
}

/// The files of a new package.
package struct NewPackage {
  /// Where the package finds Assay.
  package enum Place: Hashable {
    /// A checkout on this machine.
    case folder(String)
    /// A repository, with the requirement in Package.swift: `exact: "0.1.0"`.
    case repository(url: String, requirement: String)

    /// The place of `URL@VERSION`; the version may be a branch or a commit as well, `main` unless given.
    package init(address: String) {
      let name = address.lastIndex(where: { "/:".contains($0) }) ?? address.startIndex
      let at = address[name...].lastIndex(of: "@")
      let version = at.map { String(address[$0...].dropFirst()) } ?? ""
      let word =
        version.wholeMatch(of: #/\d+\.\d+\.\d+.*/#) != nil
        ? "exact" : version.wholeMatch(of: #/[0-9a-f]{40}/#) != nil ? "revision" : "branch"
      self = .repository(
        url: at.map { String(address[..<$0]) } ?? address,
        requirement: "\(word): \"\(version.isEmpty ? "main" : version)\"")
    }

    /// The name by which products of a repository are named: the last part of its address.
    fileprivate var identity: String {
      guard case .repository(let url, _) = self else { return "Assay" }
      let last = url.split(whereSeparator: { "/:".contains($0) }).last ?? "assay"
      return String(last.hasSuffix(".git") ? last.dropLast(4) : last)
    }
  }

  /// The experiment with which the package begins, an example of this project, renamed.
  package enum Template: String, CaseIterable {
    case counter, process

    /// The word of its experiment.
    fileprivate var experiment: String { self == .counter ? "counter" : "repairs" }
    fileprivate var example: String { self == .counter ? "coffee" : "garage" }
  }

  let name: String
  private let location: Place
  private let template: Template

  private static let reserved: Set<String> = [
    "actor", "any", "as", "async", "await", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "package", "precondition", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "var", "where", "while", "counter", "day", "month", "repairs", "swift",
    "test", "help",
  ]

  package init(name: String, from location: Place, _ template: Template = .counter) throws(CommandError) {
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
    (self.name, self.location, self.template) = (name, location, template)
  }

  /// Paths with their contents: the renamed files of an example, to which the files of the folder `Template` are links.
  package var files: [(path: String, content: String)] {
    let own: [(String, [UInt8])] =
      switch template {
      case .counter:
        [
          ("Package.swift", PackageResources.Package_swift_txt),
          ("Sources/coffee/Coffee.swift", PackageResources.Coffee_swift_txt),
          ("Tests/CoffeeTests/CoffeeTests.swift", PackageResources.CoffeeTests_swift_txt),
          ("Scenarios/settled.yaml", PackageResources.settled_yaml), ("README.md", PackageResources.README_md),
        ]
      case .process:
        [
          ("Package.swift", PackageResources.GaragePackage_swift_txt),
          ("Sources/garage/Garage.swift", PackageResources.Garage_swift_txt),
          ("Tests/GarageTests/GarageTests.swift", PackageResources.GarageTests_swift_txt),
          ("Scenarios/repaired.yaml", PackageResources.repaired_yaml), ("README.md", PackageResources.GarageREADME_md),
        ]
      }
    let common = [
      (".github/workflows/coffee.yml", PackageResources.workflow_yml),
      (".gitignore", Array(".build/\nResults/\n".utf8)),
    ]
    return (own + common).map { (renamed($0), renamed(String(decoding: $1, as: UTF8.self))) }
  }

  private func renamed(_ text: String) -> String {
    let renamed = ["coffee", template.example].reduce(text) { text, example in
      text.replacing(example, with: name)
        .replacing(example.capitalized, with: name.prefix(1).uppercased() + name.dropFirst())
    }
    let path = "name: \"Assay\", path: \"../..\""
    switch location {
    case .folder(let folder): return renamed.replacing(path, with: "name: \"Assay\", path: \"\(folder)\"")
    case .repository(let url, let requirement):
      return renamed.replacing(#/ *\/\/ A path is for trying out[^\n]*\n/#, with: "")
        .replacing(path, with: "url: \"\(url)\", \(requirement)")
        .replacing("package: \"Assay\"", with: "package: \"\(location.identity)\"")
    }
  }
}

extension NewPackage.Template: ExpressibleByArgument {}
