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

  @Argument(help: "What the package, its program and the first word of its kinds are called. Example: coffee")
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
struct NewPackage {
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

  init(name: String, dependency: String) throws(CommandError) {
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

  private var type: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// Paths with their contents.
  var files: [(path: String, content: String)] {
    [
      ("Package.swift", manifest), ("Sources/\(name)/\(type).swift", source),
      ("Tests/\(type)Tests/\(type)Tests.swift", tests), ("Scenarios/settled.yaml", scenario),
      (".github/workflows/\(name).yml", workflow), ("README.md", readme), (".gitignore", ".build/\nResults/\n"),
    ]
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      dependencies: [.package(\(dependency), traits: ["CommandLine"])],
      targets: [
        .executableTarget(name: "\(name)", dependencies: [.product(name: "Workbench", package: "Assay")]),
        .testTarget(
          name: "\(type)Tests", dependencies: ["\(name)", .product(name: "PropertyTestingHost", package: "Assay")]),
      ]
    )

    """
  }

  private var source: String {
    """
    import Workbench

    /// Customers at one counter, one after the other (Lindley's recursion). Serving one takes a minute on average.
    struct Day { var wait: [Double] }

    struct Counter: SampledExperiment {
      static let kind = "\(name).counter"
      static let summary = "Customers at one counter, and how long they wait."

      var arrivals = 0.8
      var customers = 200
      var isSettled = false

      static let parameters: [Parameter<Self>] = [
        Parameter(
          "arrivals", \\.arrivals, .number(0...10, isOpen: true, named: "a minute"), "Customers a minute.",
          example: "0.9"),
        Parameter("customers", \\.customers, .count(1...1_000_000), "Customers of a day.", example: "500"),
        Parameter("settled", \\.isSettled, .flag, "The day begins as a long one goes on; for arrivals below 1."),
      ]

      static let measures: [SampleMeasure<Day>] = [
        .mean("wait", "How long customers wait on average.", unit: "min") { $0.wait.mean },
        .share("rush", "Days on which somebody waits longer than ten minutes.") { $0.wait.contains { $0 > 10 } },
        .percentiles("longest", "The longest wait of a day.", unit: "min", [50, 95, 99]) { $0.wait.max() ?? 0 },
      ]

      func sample(_ random: inout RandomStream) -> Day {
        var wait = 0.0
        if isSettled, random.happens(arrivals) { wait = random.exponential(mean: 1 / (1 - arrivals)) }
        return Day(
          wait: (0..<customers).map { _ in
            defer { wait = max(0, wait + random.exponential(mean: 1) - random.exponential(mean: 1 / arrivals)) }
            return wait
          })
      }
    }

    @main struct \(type): WorkbenchProgram {
      static let experiments: [any Experiment.Type] = [Counter.self]
    }

    """
  }

  private var tests: String {
    """
    import PropertyTestingHost
    import Testing
    import Workbench

    @testable import \(name)

    struct \(type)Tests {
      @Test("the declaration is sound") func declaration() {
        #expect(Counter.runnable.problems() == [])
      }

      @Test("a settled counter makes customers wait as Pollaczek and Khinchine have it")
      func knownAnswer() throws {
        var counter = Counter()
        (counter.arrivals, counter.isSettled) = (0.5, true)
        let result = try counter.run(on: RunContext(workers: 2))
        let wait = try #require(result.measurements.first { $0.measure.name == "wait" })
        #expect(wait.interval(at: 0.999).contains(0.5 / (1 - 0.5)), "\\(wait.estimate)")
      }

      @Test("nobody waits less than nothing, and the first customer of an empty shop not at all")
      func waits() async throws {
        try await check(Gen<Int>.integers(in: 1...50), Gen<Int>.integers(in: 1...1000)) { customers, seed in
          var counter = Counter()
          counter.customers = customers
          var random = try RandomStream(seed: UInt32(seed))
          let day = counter.sample(&random)
          #expect(day.wait.count == customers)
          #expect(day.wait.first == 0)
          #expect(day.wait.allSatisfy { $0 >= 0 })
        }
      }
    }

    """
  }

  private var scenario: String {
    """
    name: A settled counter makes customers wait as Pollaczek and Khinchine have it
    kind: \(name).counter
    arrivals: 0.8
    settled: true
    samples: 100k
    thresholds:
      - threshold: wait in 3.9min..4.1min at 0.99
        source: M/M/1, arrivals over one minus arrivals, in minutes

    """
  }

  private static let libraries = "libgsl-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev"

  private var workflow: String {
    """
    name: \(name)
    on: [push, pull_request]
    permissions:
      contents: read
    jobs:
      test:
        runs-on: ubuntu-latest
        container: swift:6.3-bookworm
        steps:
          - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
            with:
              persist-credentials: false
          - run: apt-get update && apt-get install --yes \(Self.libraries)
          - run: swift test
          - run: swift run -c release \(name) run --ci Scenarios/

    """
  }

  private var readme: String {
    """
    # \(type)

    A counter at which customers wait, in one file: `Sources/\(name)/\(type).swift`.

    ```
    $ swift run -c release \(name) run Scenarios/
    $ swift test
    ```

    ```
    $ swift run -c release \(name) counter --sweep arrivals=0.5..0.95:10 -o waits.svg
    $ swift run -c release \(name) find arrivals=0.1..1 --until 'rush <= 5% at 0.99'
    $ swift run -c release \(name) counter --versus arrivals=0.9
    ```

    These draw the wait against the arrivals, find the arrivals up to which few days have a rush, and compare two
    counters. The scenario compares the mean wait with a formula. What else there is:
    `swift run -c release \(name) --help`.

    """
  }
}
