// swift-tools-version: 6.2

// A package of its own, so that what Oxbow is compared with never enters the product.

import PackageDescription

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  products: [
    // Preloaded into the server of suite N.
    .library(name: "FixedSync", type: .dynamic, targets: ["CFixedSync"])
  ],
  dependencies: [
    .package(name: "oxbow", path: "..", traits: [.defaults, "PostgreSQL"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CLibpqBaseline", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "CServerBaseline", dependencies: ["CLibpqBaseline"],
      cSettings: [.unsafeFlags(["-O2"])]),
    .target(name: "CFixedSync"),
    .systemLibrary(
      name: "CSQLiteBaseline", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "CBaseline", dependencies: ["CSQLiteBaseline"], cSettings: [.unsafeFlags(["-O2"])]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CBaseline", "CFixedSync", "CServerBaseline", "CSQLiteBaseline",
        // For the macros, whose expansions suite K measures.
        .product(name: "Oxbow", package: "oxbow"),
        // Both, so that a change of the container rebuilds what measures it.
        .product(name: "OxbowContainer", package: "oxbow"),
        .product(name: "OxbowAttributes", package: "oxbow"),
        .product(name: "OxbowPostgres", package: "oxbow"),
        .product(name: "OxbowRuntime", package: "oxbow"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Sources/Benchmarks", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "charts", path: "Sources/Charts", swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
