// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same language: Swift 6 with the upcoming features that make imports, existentials and
/// unsafe memory visible where they are used. In CI a warning is an error.
let house: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
  ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// With `ASSAY_OPTIMISE_ENGINE=1` the property-testing engine is optimised in debug builds too, so that `swift test`
/// tries as many cases as a release build. SwiftPM refuses packages with unsafe flags as dependencies, hence the
/// variable.
let engine: [SwiftSetting] =
  Context.environment["ASSAY_OPTIMISE_ENGINE"] == "1"
  ? [.unsafeFlags(["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))] : []

/// A room of the house: what it may see is what it names here, so a wrong arrow does not compile.
/// Its tests may see more: a virtual clock, or the host that runs properties inside Swift Testing.
func room(
  _ name: String, in folder: String, sees: [Target.Dependency] = [], testsSee: [Target.Dependency] = [],
  embeds: [Resource] = [], settings: [SwiftSetting] = []
) -> [Target] {
  [
    .target(
      name: name, dependencies: sees, path: "Sources/\(folder)\(name)", resources: embeds,
      swiftSettings: house + settings),
    .testTarget(
      name: "\(name)Tests", dependencies: sees + testsSee + [.byName(name: name), "TestSupport"],
      path: "Tests/\(name)Tests", resources: fixtures(of: name), swiftSettings: house),
  ]
}

/// Test targets that read files keep them in a `Fixtures` folder of their own.
func fixtures(of name: String) -> [Resource] {
  ["BlackjackCore", "BlackjackLab", "Archive", "ClubCore", "ClubLab", "LiveLab"].contains(name)
    ? [.copy("Fixtures")] : []
}

let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "Assay",
  products: [
    .executable(name: "assay", targets: ["assay"]),
    .library(name: "BlackjackCore", targets: ["BlackjackCore"]),
    .library(name: "LeagueCore", targets: ["LeagueCore"]),
    .library(name: "ClubCore", targets: ["ClubCore"]),
    .library(name: "LiveCore", targets: ["LiveCore"]),
    .library(name: "PropertyTesting", targets: ["PropertyTesting"]),
    .library(name: "PropertyTestingHost", targets: ["PropertyTestingHost"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CGSL", path: "Sources/Engine/CGSL", pkgConfig: "gsl", providers: [.apt(["libgsl-dev"])]),
    .systemLibrary(
      name: "CZlib", path: "Sources/Platform/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
  ]
    + room("BlackjackCore", in: "Core/")
    + room("LeagueCore", in: "Core/")
    + room("CoreDates", in: "Core/")
    + room("ClubCore", in: "Core/", sees: ["CoreDates"])
    + room("LiveCore", in: "Core/", sees: ["CoreDates"])
    + room("FeedFiles", in: "Platform/", sees: ["ClubCore", "CZlib"])
    + room("Randomness", in: "Engine/", sees: ["CGSL"])
    + room("Statistics", in: "Engine/", sees: ["CGSL"])
    + room("MonteCarlo", in: "Engine/", sees: ["Randomness", "Statistics"])
    + room(
      "PropertyTesting", in: "Engine/", sees: ["CGSL", "Randomness", "Statistics", "MonteCarlo"], settings: engine)
    + room("VirtualTime", in: "Engine/")
    + room("PropertyTestingHost", in: "Engine/", sees: ["PropertyTesting"], testsSee: ["VirtualTime"])
    + room("Reporting", in: "Reporting/", sees: ["Statistics", "Yams"])
    + room("Scenarios", in: "Reporting/", sees: ["Reporting", "Randomness", "Statistics", "MonteCarlo"])
    + room("Pages", in: "Reporting/", sees: ["Reporting", "Scenarios", mustache], embeds: [.embedInCode("Templates")])
    + room("Archive", in: "Reporting/", sees: ["Reporting", "Statistics", "Scenarios", "Pages", grdb])
    + room(
      "BlackjackLab", in: "Labs/",
      sees: ["BlackjackCore", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "Reporting", "Scenarios"],
      testsSee: ["PropertyTestingHost"])
    + room(
      "LeagueLab", in: "Labs/",
      sees: ["LeagueCore", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "Reporting", "Scenarios"],
      testsSee: ["PropertyTestingHost"])
    + room(
      "ClubLab", in: "Labs/",
      sees: [
        "ClubCore", "CoreDates", "FeedFiles", "Randomness", "Statistics", "MonteCarlo", "VirtualTime",
        "PropertyTesting", "Reporting", "Scenarios",
      ],
      testsSee: ["PropertyTestingHost", grdb])
    + room(
      "LiveLab", in: "Labs/",
      sees: [
        "LiveCore", "CoreDates", "Randomness", "Statistics", "MonteCarlo", "VirtualTime", "PropertyTesting",
        "Reporting", "Scenarios",
      ],
      testsSee: ["PropertyTestingHost"])
    + room(
      "PropertyLab", in: "Labs/",
      sees: ["Statistics", "MonteCarlo", "PropertyTesting", "Reporting", "Scenarios"])
    + room("PropertyChallenges", in: "Benchmarks/", sees: ["PropertyTesting"])
    + [
      .executableTarget(
        name: "property-benchmark",
        dependencies: ["PropertyChallenges", "PropertyTesting", "Reporting", argumentParser],
        path: "Sources/Benchmarks/property-benchmark", swiftSettings: house),
      .executableTarget(
        name: "club-benchmark", dependencies: ["ClubCore", "FeedFiles", argumentParser],
        path: "Sources/Benchmarks/club-benchmark", swiftSettings: house),
      .executableTarget(
        name: "assay",
        dependencies: [
          "BlackjackCore", "LeagueCore", "Randomness", "Statistics", "MonteCarlo", "PropertyTesting", "BlackjackLab",
          "LeagueLab", "ClubCore", "ClubLab", "FeedFiles", "LiveCore", "LiveLab", "PropertyLab", "Reporting",
          "Scenarios", "Pages", "Archive", argumentParser, logging,
        ],
        path: "Sources/assay", swiftSettings: house),
      .testTarget(name: "assayTests", dependencies: ["assay"], path: "Tests/assayTests", swiftSettings: house),
    ]
)
