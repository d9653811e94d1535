// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
import PackageDescription

let package = Package(
  name: "trial",
  dependencies: [.package(name: "Assay", path: "../..", traits: ["CommandLine"])],
  targets: [
    .executableTarget(
      name: "trial", dependencies: ["Workbench", "PropertyTesting"].map { .product(name: $0, package: "Assay") }),
    .testTarget(
      name: "TrialTests", dependencies: ["trial", .product(name: "PropertyTestingHost", package: "Assay")]),
  ])
