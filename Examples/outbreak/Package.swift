// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

let package = Package(
  name: "outbreak",
  dependencies: [.package(name: "Assay", path: "../..", traits: ["CommandLine"])],
  targets: [
    .executableTarget(name: "outbreak", dependencies: [.product(name: "Workbench", package: "Assay")]),
    .testTarget(
      name: "OutbreakTests", dependencies: ["outbreak", .product(name: "PropertyTestingHost", package: "Assay")]),
  ]
)
