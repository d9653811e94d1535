// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "coffee",
  // A path is for trying out on this machine; elsewhere: .package(url: "...", exact: "...", traits: ["CommandLine"])
  dependencies: [.package(name: "Assay", path: "../..", traits: ["CommandLine"])],
  targets: [
    .executableTarget(name: "coffee", dependencies: [.product(name: "Workbench", package: "Assay")]),
    .testTarget(
      name: "CoffeeTests", dependencies: ["coffee", .product(name: "PropertyTestingHost", package: "Assay")]),
  ]
)
