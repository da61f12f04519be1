// swift-tools-version: 6.2

// A package of its own: its programs are built as a user's are, in release and with Oxbow as a
// dependency. `swift test` builds with testability, which hides what the optimizer does with what
// only a module sees.

import PackageDescription

let oxbow: Target.Dependency = .product(name: "Oxbow", package: "oxbow")

func program(_ name: String, _ dependencies: [Target.Dependency] = [oxbow]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: [.swiftLanguageMode(.v6)])
}

let package = Package(
  name: "release-programs",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(
      name: "oxbow", path: "../../..", traits: [.defaults, "Metrics", "PostgreSQL", "Tracing"]),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
  ],
  targets: [
    program("proxies"),
    program("access"),
    program("components"),
    program("entities"),
    // Scripts/instructions counts its instructions.
    program("points"),
    program("repositories"),
    program("attributes"),
    program("woven"),
    program(
      "observed",
      [
        oxbow, .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ]),
    program("tenants", [.product(name: "OxbowRuntime", package: "oxbow")]),
    // The program of the README.
    program("first"),
    // Built here too, so that one release build serves all that is run in release.
    program(
      "guides",
      [
        oxbow, .product(name: "catalog", package: "oxbow"),
        .product(name: "catalogctl", package: "oxbow"),
        .product(name: "contacts", package: "oxbow"),
        .product(name: "scenes", package: "oxbow"),
        .product(name: "oxbowctl", package: "oxbow"),
      ]),
  ]
)
