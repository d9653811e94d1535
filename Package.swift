// swift-tools-version: 6.2
import PackageDescription

/// True if another package has this one by its address and a version: then SwiftPM refuses unsafe flags.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// Returns true if a variable of the environment is set for a build of this package.
func isSet(_ variable: String) -> Bool { !isDependency && Context.environment[variable] == "1" }

/// Every target is held to the same language: Swift 6 with the upcoming features that make imports, existentials and
/// unsafe memory visible where they are used. With `ASSAY_STRICT=1`, as `.ci/run` sets it, a warning is an error.
let language: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
  ] + (isSet("ASSAY_STRICT") ? [.treatAllWarnings(as: .error)] : [])

/// With `ASSAY_OPTIMISE_ENGINE=1` the property-testing engine is optimised in debug builds too, so that `swift test`
/// tries as many cases as a release build. SwiftPM refuses packages with unsafe flags as dependencies, hence the
/// variable.
let engine: [SwiftSetting] =
  isSet("ASSAY_OPTIMISE_ENGINE")
  ? [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))] : []

/// Code whose edges and comparisons guide the search for failing cases. It is compiled so and linked without the flags.
let instrumented: [SwiftSetting] = [
  .unsafeFlags(["-sanitize=fuzzer", "-sanitize-coverage=edge,trace-pc-guard,trace-cmp"], .when(platforms: [.linux]))
]

/// With `ASSAY_GUIDED=1`, as `scripts/assay-guided` sets it, the cores are such code.
let cores = isSet("ASSAY_GUIDED") ? instrumented : []

/// The code that presents and stores results compiles four to five times as fast unoptimised, and no loop over samples
/// or bytes is in it; the same holds of tests.
let unoptimised: [SwiftSetting] =
  isDependency ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// A module and its tests. A module imports only what it names here, so a wrong dependency does not compile; its tests
/// may import more: a virtual clock, or the host that runs properties inside Swift Testing. A lab sees what is public
/// alone, as another package does; but the soak is about the sockets' own parts, which nobody else needs.
func module(
  _ name: String, in folder: String, imports: [Target.Dependency] = [], testsImport: [Target.Dependency] = [],
  resources: [Resource] = [], settings: [SwiftSetting] = []
) -> [Target] {
  [
    .target(
      name: name, dependencies: imports, path: "Sources/\(folder)\(name)", resources: resources,
      packageAccess: folder != "Labs/" || name == "LiveSoak",
      swiftSettings: language + settings + (folder == "Core/" ? cores : [])),
    .testTarget(
      name: "\(name)Tests",
      dependencies: imports + testsImport + [.byName(name: name), "TestSupport"]
        + (folder == "Labs/" ? ["ExperimentTestSupport"] : []),
      path: "Tests/\(name)Tests", resources: fixtures(of: name), swiftSettings: language + unoptimised),
  ]
}

/// Test targets that read files keep them in a `Fixtures` folder of their own.
func fixtures(of name: String) -> [Resource] {
  [
    "BlackjackCore", "BlackjackLab", "Archive", "ClubCore", "ContrastCore", "FantasyLab", "LeagueConnections",
    "LeagueCore", "LiveLab", "LiveSockets", "ProfileCore", "ProfileLab", "PropertyChallenges", "Statistics",
  ].contains(name)
    ? [.copy("Fixtures")] : []
}

/// A product of another package. None is needed by a package that uses the engine or the cores alone: it depends on
/// this one with `traits: []`, and SwiftPM fetches none of them.
func external(_ name: String, package: String, traits: Set<String> = ["CommandLine"]) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: traits))
}

let yams = external("Yams", package: "Yams")
let logging = external("Logging", package: "swift-log", traits: ["CommandLine", "Sockets"])
let argumentParser = external("ArgumentParser", package: "swift-argument-parser")
let nioCore = external("NIOCore", package: "swift-nio", traits: ["Sockets"])
/// Locks that the thread sanitizer sees: it reports races within the Mutex of Synchronization that there are not.
let nioLocks = external("NIOConcurrencyHelpers", package: "swift-nio", traits: ["Sockets"])
let nioPosix = external("NIOPosix", package: "swift-nio", traits: ["Sockets"])
/// Next to which `socket-benchmark` measures the frames and the handshake of `WebSocketProtocol`.
let nioWebSocket = external("NIOWebSocket", package: "swift-nio", traits: ["Sockets"])
let nioHTTP = external("NIOHTTP1", package: "swift-nio", traits: ["Sockets"])
let nioSSL = external("NIOSSL", package: "swift-nio-ssl", traits: ["Sockets"])

let package = Package(
  name: "Assay",
  products: [
    .executable(name: "assay", targets: ["assay"]),
    .library(name: "BlackjackCore", targets: ["BlackjackCore"]),
    .library(name: "LeagueCore", targets: ["LeagueCore"]),
    .library(name: "ClubCore", targets: ["ClubCore"]),
    .library(name: "LiveCore", targets: ["LiveCore"]),
    .library(name: "ContrastCore", targets: ["ContrastCore"]),
    .library(name: "ProfileCore", targets: ["ProfileCore"]),
    .library(name: "FantasyCore", targets: ["FantasyCore"]),
    .executable(name: "assay-live", targets: ["assay-live"]),
    .library(name: "LiveSockets", targets: ["LiveSockets"]),
    .library(name: "PropertyTesting", targets: ["PropertyTesting"]),
    .library(name: "PropertyTestingHost", targets: ["PropertyTestingHost"]),
    .library(name: "VirtualTime", targets: ["VirtualTime"]),
    .library(name: "GSLDistributions", targets: ["GSLDistributions"]),
    .library(name: "Processes", targets: ["Processes"]),
    .library(name: "Workbench", targets: ["Workbench"]),
  ],
  traits: [
    .trait(name: "CommandLine", description: "The command line `assay`, the labs and the reports."),
    .trait(name: "Sockets", description: "The WebSocket client and server on real sockets, over swift-nio."),
    .default(enabledTraits: ["CommandLine", "Sockets"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: [
    .systemLibrary(
      name: "CGSL", path: "Sources/Engine/CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/Platform/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CSQLite", path: "Sources/Platform/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "COpenSSL", path: "Sources/Platform/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CCurl", path: "Sources/Platform/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "CCoverage", path: "Sources/Engine/CCoverage"),
    .testTarget(
      name: "GuidedSearchTests", dependencies: ["PropertyTesting"], path: "Tests/GuidedSearchTests",
      swiftSettings: language + instrumented),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: language),
    .target(
      name: "ExperimentTestSupport", dependencies: ["MonteCarlo", "Reporting", "Scenarios"],
      path: "Tests/ExperimentTestSupport", swiftSettings: language),
    .executableTarget(
      name: "Specimens", dependencies: ["PropertyTesting", "Workbench", argumentParser], path: "Tests/Specimens",
      swiftSettings: language + unoptimised),
  ]
    + module("BlackjackCore", in: "Core/", imports: ["CoreTables"])
    + module("CoreDates", in: "Core/")
    + module("CoreJSON", in: "Core/", testsImport: ["PropertyTestingHost"])
    + module("CoreTables", in: "Core/")
    + module("LeagueCore", in: "Core/", imports: ["CoreJSON", "CoreTables"])
    + module("ClubCore", in: "Core/", imports: ["CoreDates", "CoreJSON", "CoreTables"])
    + module("LiveCore", in: "Core/", imports: ["CoreDates"])
    + module("ContrastCore", in: "Core/", imports: ["CoreJSON"])
    + module("ProfileCore", in: "Core/", imports: ["LiveCore"])
    + module("FantasyCore", in: "Core/")
    + module("FeedFiles", in: "Platform/", imports: ["ClubCore", "CZlib"])
    + module("Database", in: "Platform/", imports: ["CSQLite"])
    + module("ProfileStore", in: "Platform/", imports: ["ProfileCore", "LiveCore", "Database"])
    + module(
      "LeagueConnections", in: "Platform/", imports: ["LeagueCore", "CoreDates", "LiveCore", "Database", "COpenSSL"],
      testsImport: ["VirtualTime"], settings: unoptimised)
    + module("LeagueHTTP", in: "Platform/", imports: ["LeagueConnections", "CCurl"], settings: unoptimised)
    + module("WebSocketProtocol", in: "Platform/", imports: ["LiveCore", "CZlib", nioCore])
    + module(
      "LiveSockets", in: "Platform/",
      imports: ["LiveCore", "WebSocketProtocol", nioCore, nioLocks, nioPosix, nioSSL, logging])
    + module("SeededWords", in: "Engine/", settings: engine)
    + module("MonteCarlo", in: "Engine/", testsImport: ["Randomness", "Statistics"])
    + module("VirtualTime", in: "Engine/")
    + module(
      "PropertyTesting", in: "Engine/", imports: ["CCoverage", "SeededWords", "MonteCarlo", "VirtualTime"],
      settings: engine)
    + module(
      "PropertyTestingHost", in: "Engine/", imports: ["MonteCarlo", "PropertyTesting"], testsImport: ["VirtualTime"])
    + module("Randomness", in: "Engine/", imports: ["CGSL", "SeededWords"])
    + module("Processes", in: "Engine/", imports: ["Randomness", "Statistics", "VirtualTime"])
    + module("Statistics", in: "Engine/", imports: ["CGSL", "MonteCarlo"], testsImport: ["Randomness"])
    + module("GSLDistributions", in: "Engine/", imports: ["CGSL", "PropertyTesting", "SeededWords"])
    + module("Reporting", in: "Workbench/", imports: ["CoreJSON", "CZlib", "MonteCarlo", "Statistics", yams])
    + module(
      "Scenarios", in: "Workbench/", imports: ["Reporting", "Randomness", "Statistics", "MonteCarlo"],
      settings: unoptimised)
    + module(
      "Pages", in: "Workbench/", imports: ["Reporting", "Scenarios"],
      resources: [
        .embedInCode("Colours/report.tokens.json"), .embedInCode("Page/page.css"), .embedInCode("Page/page.js"),
      ], settings: unoptimised)
    + module(
      "Archive", in: "Workbench/",
      imports: ["Reporting", "Statistics", "MonteCarlo", "Scenarios", "Pages", "Database"],
      settings: unoptimised)
    + module(
      "BlackjackLab", in: "Labs/",
      imports: [
        "BlackjackCore", "CoreTables", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "Reporting",
        "Sampling", "Scenarios",
      ])
    + module(
      "LeagueLab", in: "Labs/",
      imports: [
        "LeagueCore", "LeagueConnections", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting",
        "GSLDistributions", "Reporting", "Sampling", "Scenarios",
      ])
    + module(
      "ClubLab", in: "Labs/",
      imports: [
        "ClubCore", "CoreDates", "Randomness", "Statistics", "MonteCarlo", "VirtualTime", "PropertyTesting",
        "Reporting", "Sampling", "Scenarios",
      ])
    + module(
      "LiveLab", in: "Labs/",
      imports: [
        "LiveCore", "CoreDates", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "Reporting",
        "Sampling", "Scenarios",
      ], resources: [.embedInCode("Profiles/built-in-profiles.yaml")])
    + module(
      "ContrastLab", in: "Labs/",
      imports: ["ContrastCore", "MonteCarlo", "PropertyTesting", "Reporting", "Scenarios"])
    + module(
      "ProfileLab", in: "Labs/",
      imports: [
        "ProfileCore", "LiveCore", "Randomness", "MonteCarlo", "PropertyTesting", "Reporting", "Sampling", "Scenarios",
      ],
      resources: [.embedInCode("Maps/flat.yaml"), .embedInCode("Maps/nested.yaml")])
    + module(
      "FantasyLab", in: "Labs/",
      imports: [
        "FantasyCore", "CoreTables", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "Reporting",
        "Sampling", "Scenarios",
      ])
    + module(
      "LiveSoak", in: "Labs/",
      imports: [
        "LiveCore", "LiveLab", "LiveSockets", "WebSocketProtocol", "Randomness", "Statistics", "VirtualTime",
        "Reporting", "Scenarios", nioCore, nioLocks, nioPosix,
      ])
    + module(
      "PropertyRuns", in: "Workbench/",
      imports: ["Statistics", "SeededWords", "MonteCarlo", "PropertyTesting", "Reporting", "Scenarios"],
      testsImport: ["ExperimentTestSupport", "Specimens"], settings: unoptimised)
    + module(
      "MethodCalibration", in: "Workbench/",
      imports: ["Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "Reporting", "Sampling", "Scenarios"],
      testsImport: ["ExperimentTestSupport"])
    + module(
      "PropertyChallenges", in: "Benchmarks/", imports: ["PropertyTesting", "SeededWords"],
      settings: isSet("ASSAY_GUIDED_BENCHMARK") ? instrumented : [])
    + [
      .executableTarget(
        name: "property-benchmark",
        dependencies: ["PropertyChallenges", "PropertyTesting", "Reporting", argumentParser],
        path: "Sources/Benchmarks/property-benchmark", swiftSettings: language),
      .executableTarget(
        name: "random-streams",
        dependencies: [
          "CGSL", "Randomness", "PropertyTesting", "GSLDistributions", "BlackjackCore", "BlackjackLab", argumentParser,
        ],
        path: "Sources/Benchmarks/random-streams", swiftSettings: language),
      .executableTarget(
        name: "socket-benchmark",
        dependencies: [
          "LiveCore", "LiveLab", "LiveSockets", "LiveSoak", "WebSocketProtocol", nioCore, nioPosix, nioWebSocket,
          nioHTTP, argumentParser,
        ],
        path: "Sources/Benchmarks/socket-benchmark", swiftSettings: language),
      // Packages of their own for readers; here their commands in docs/workbench.md are checked.
      .executableTarget(
        name: "coffee-example", dependencies: ["Workbench"], path: "Examples/coffee/Sources/coffee",
        packageAccess: false, swiftSettings: language),
      .executableTarget(
        name: "outbreak-example", dependencies: ["Workbench"], path: "Examples/outbreak/Sources/outbreak",
        packageAccess: false, swiftSettings: language),
      .executableTarget(
        name: "assay", dependencies: ["AssayCommands", "Workbench"], packageAccess: false,
        swiftSettings: language + unoptimised),
      .executableTarget(
        name: "assay-live",
        dependencies: [
          "AssayCommands", "LiveCore", "LiveLab", "LiveSockets", "LiveSoak", "Reporting", "Scenarios",
          "WebSocketProtocol", "Workbench", nioCore, nioPosix, argumentParser, logging,
        ],
        swiftSettings: language + unoptimised),
    ]
    + module(
      "Sampling", in: "Workbench/",
      imports: ["Reporting", "Scenarios", "Randomness", "Statistics", "MonteCarlo", "CZlib"],
      testsImport: ["Processes"])
    + module(
      "Workbench", in: "Workbench/",
      imports: [
        "Sampling", "SeededWords", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "Reporting",
        "Scenarios", "Pages", "PropertyRuns", "MethodCalibration", "Archive", "Database", "COpenSSL",
        argumentParser, logging,
      ],
      resources: [
        .embedInCode("Template/Package.swift.txt"), .embedInCode("Template/Coffee.swift.txt"),
        .embedInCode("Template/CoffeeTests.swift.txt"), .embedInCode("Template/settled.yaml"),
        .embedInCode("Template/workflow.yml"), .embedInCode("Template/README.md"),
        .embedInCode("Template/GaragePackage.swift.txt"), .embedInCode("Template/Garage.swift.txt"),
        .embedInCode("Template/GarageTests.swift.txt"), .embedInCode("Template/repaired.yaml"),
        .embedInCode("Template/GarageREADME.md"),
      ], settings: unoptimised)
    + module(
      "AssayCommands", in: "",
      imports: [
        "BlackjackCore", "LeagueCore", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "BlackjackLab",
        "LeagueLab", "LeagueConnections", "LeagueHTTP", "ClubCore", "ClubLab", "ContrastCore", "ContrastLab",
        "FantasyCore", "FantasyLab", "FeedFiles",
        "LiveCore", "LiveLab", "ProfileCore", "ProfileLab", "Reporting", "Scenarios", "Pages", "Archive", "Database",
        "Workbench", argumentParser, logging,
      ],
      testsImport: ["assay", "assay-live", "ExperimentTestSupport", "PropertyTestingHost", "Specimens"],
      settings: unoptimised)
)
