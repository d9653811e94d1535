// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "garage",
  // A path is for trying out on this machine; elsewhere: .package(url: "...", exact: "...", traits: ["CommandLine"])
  dependencies: [.package(name: "Assay", path: "../..", traits: ["CommandLine"])],
  targets: [
    .executableTarget(
      name: "garage",
      dependencies: [.product(name: "Workbench", package: "Assay"), .product(name: "Processes", package: "Assay")]),
    .testTarget(
      name: "GarageTests", dependencies: ["garage", .product(name: "PropertyTestingHost", package: "Assay")]),
  ]
)
