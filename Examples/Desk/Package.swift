// swift-tools-version: 6.2

// A package of its own: programs that depend on Oxbow resolve no web framework.

import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .treatAllWarnings(as: .error),
]

let oxbow: Target.Dependency = .product(name: "Oxbow", package: "oxbow")

let package = Package(
  name: "desk",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "oxbow", path: "../..", traits: [.defaults, "Metrics", "Services"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "desk",
      dependencies: [
        oxbow,
        .product(name: "OxbowCommands", package: "oxbow"),
        .product(name: "OxbowContainer", package: "oxbow"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      path: "Sources", swiftSettings: settings),
    .executableTarget(
      name: "deskload",
      dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")],
      path: "Load", swiftSettings: settings),
    .testTarget(
      name: "DeskTests",
      dependencies: [
        "desk", oxbow,
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "OxbowTesting", package: "oxbow"),
      ],
      path: "Tests", swiftSettings: settings),
  ]
)
