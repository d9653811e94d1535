// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

let package = Package(
  name: "percolation",
  dependencies: [.package(name: "Assay", path: "../..", traits: ["CommandLine"])],
  targets: [
    .executableTarget(name: "percolation", dependencies: [.product(name: "Workbench", package: "Assay")]),
    .testTarget(
      name: "PercolationTests", dependencies: ["percolation", .product(name: "PropertyTestingHost", package: "Assay")]),
  ]
)
