// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

// Settings shared by every Swift target. Arrows between targets are the `dependencies` below and
// nothing else: `Scripts/check` builds with `--explicit-target-dependency-import-check error`, and
// `Scripts/architecture` finds those that no file imports.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  // Warnings are errors in every build of this package, and SwiftPM drops the setting when Oxbow is
  // a dependency. A flag on the command line would reach the dependencies too.
  .treatAllWarnings(as: .error),
]

/// The targets of a house and their tests, in the folders `Sources/HOUSE` and `Tests/HOUSE`.
///
/// ARCHITECTURE.md says which house may use which.
func house(_ name: String, _ targets: [Target], tests: [Target]) -> [Target] {
  for target in targets { target.path = "Sources/\(name)/\(target.name)" }
  for target in tests { target.path = "Tests/\(name)/\(target.name)" }
  return targets + tests
}

/// A target with public API.
func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A target that other targets of this package use and that no product names.
func hidden(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func program(
  _ name: String, path: String? = nil, _ dependencies: [Target.Dependency],
  exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, exclude: exclude, resources: resources,
    swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// What only aspects of one kind need: nobody resolves it who does not ask for the trait.
let metrics: Target.Dependency = .product(
  name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"]))
let tracing: Target.Dependency = .product(
  name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"]))
/// What a container needs to be a service of swift-service-lifecycle, and to run others'.
let lifecycle: Target.Dependency = .product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle",
  condition: .when(traits: ["Services"]))
/// What asks providers of swift-configuration for placeholders.
let configuration: Target.Dependency = .product(
  name: "Configuration", package: "swift-configuration",
  condition: .when(traits: ["Configuration"]))

/// When the library of PostgreSQL's clients is needed: without the trait, neither it nor its header.
let onServers: TargetDependencyCondition? = .when(traits: ["PostgreSQL"])

let ground = house(
  "Ground",
  [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "COxbowSections"),
    hidden("OxbowFoundation"),
    hidden("OxbowPlatform", ["OxbowFoundation", "COxbowSections"]),
    hidden("OxbowDocuments", ["OxbowFoundation"]),
  ],
  tests: [
    .target(
      name: "OxbowTestSupport",
      dependencies: ["CSQLite", "OxbowDocuments", "OxbowPlatform", logging],
      swiftSettings: settings),
    tests("OxbowPlatformTests", ["OxbowPlatform", "OxbowTestSupport"]),
    tests("OxbowDocumentsTests", ["OxbowDocuments", "OxbowTestSupport"]),
  ])

let persistence = house(
  "Persistence",
  [
    hidden("OxbowCoreData", ["OxbowFoundation", "OxbowDocuments"]),
    library("OxbowModel", ["OxbowFoundation", "OxbowCoreData", "OxbowDocuments"]),
    library("OxbowStore", ["OxbowFoundation", "OxbowModel", "OxbowPlatform", logging]),
    library(
      "OxbowRelational", ["OxbowFoundation", "OxbowStore", "OxbowModel", "OxbowPlatform"]),
    library(
      "OxbowSQLite",
      [
        "OxbowFoundation", "CSQLite", "OxbowCoreData", "OxbowDocuments", "OxbowRelational",
        "OxbowStore", "OxbowModel", "OxbowPlatform", logging,
      ]),
    library(
      "OxbowPostgres",
      [
        "OxbowFoundation", .target(name: "CPostgres", condition: onServers), "OxbowMigration",
        "OxbowRelational",
        "OxbowStore", "OxbowModel", "OxbowPlatform", logging,
      ]),
    library(
      "OxbowContext",
      ["OxbowFoundation", "OxbowStore", "OxbowModel", "OxbowDocuments", "OxbowPlatform"]),
    library(
      "OxbowMigration", ["OxbowFoundation", "OxbowRelational", "OxbowModel", "OxbowDocuments"]),
  ],
  tests: [
    .target(
      name: "OxbowStoreContract", dependencies: ["OxbowStore", "OxbowModel"],
      swiftSettings: settings),
    tests("OxbowCoreDataTests", ["OxbowCoreData", "OxbowDocuments", "OxbowTestSupport"]),
    tests(
      "OxbowModelTests", ["OxbowCoreData", "OxbowModel", "OxbowDocuments", "OxbowTestSupport"]),
    tests("OxbowStoreTests", ["OxbowStore", "OxbowModel", "OxbowTestSupport"]),
    tests(
      "OxbowRelationalTests", ["OxbowRelational", "OxbowStore", "OxbowModel", "OxbowTestSupport"]),
    tests(
      "OxbowSQLiteTests",
      [
        "CSQLite", "OxbowSQLite", "OxbowRelational", "OxbowStore", "OxbowStoreContract",
        "OxbowModel",
        "OxbowPlatform", "OxbowTestSupport", logging,
      ], exclude: ["Store/Golden"]),
    tests(
      "OxbowPostgresTests",
      [
        "OxbowPostgres", "OxbowMigration", "OxbowRelational", "OxbowSQLite", "OxbowStore",
        "OxbowStoreContract", "OxbowContext", "OxbowModel", "OxbowTestSupport",
      ]),
    tests(
      "OxbowContextTests",
      [
        "OxbowContext", "OxbowCoreData", "OxbowMigration", "OxbowPostgres", "OxbowRelational",
        "OxbowSQLite", "OxbowStore", "OxbowStoreContract", "OxbowModel", "OxbowPlatform",
        "OxbowTestSupport",
      ]),
    tests(
      "OxbowMigrationTests",
      [
        "CSQLite", "OxbowMigration", "OxbowSQLite", "OxbowPostgres", "OxbowRelational",
        "OxbowStore", "OxbowStoreContract", "OxbowModel", "OxbowDocuments", "OxbowTestSupport",
      ], exclude: ["Stores/Golden"]),
  ])

let container = house(
  "Container",
  [
    library(
      "OxbowContainer", ["OxbowFoundation", "OxbowDocuments", "OxbowPlatform", metrics, tracing]),
    library("OxbowAssembly", ["OxbowFoundation", "OxbowContainer", "OxbowDocuments"]),
    library("OxbowConfiguration", ["OxbowContainer", configuration]),
    library(
      "OxbowAttributes", ["OxbowFoundation", "OxbowContainer", "OxbowDocuments", "OxbowPlatform"]),
  ],
  tests: [
    tests(
      "OxbowContainerTests",
      ["OxbowContainer", "OxbowDocuments", "OxbowPlatform", "OxbowTestSupport"]),
    tests(
      "OxbowAssemblyTests",
      ["OxbowAssembly", "OxbowContainer", "OxbowDocuments", "OxbowTestSupport"],
      exclude: ["Tour/Texts"]),
    tests(
      "OxbowConfigurationTests",
      ["Oxbow", "OxbowConfiguration", "OxbowTestSupport", configuration]),
    tests(
      "OxbowAttributesTests",
      [
        "OxbowAttributes", "OxbowContainer", "OxbowDocuments", "OxbowTestSupport",
      ]),
    tests(
      "MeasuringTests",
      [
        "Oxbow", metrics, tracing,
        .product(
          name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
        .product(
          name: "InMemoryTracing", package: "swift-distributed-tracing",
          condition: .when(traits: ["Tracing"])),
      ]),
  ])

let nodes = house(
  "Nodes",
  [
    library(
      "OxbowNodes",
      ["OxbowFoundation", "OxbowAttributes", "OxbowContainer", "OxbowDocuments", "OxbowPlatform"])
  ],
  tests: [
    tests(
      "OxbowNodesTests",
      [
        "OxbowNodes", "OxbowAttributes", "OxbowContainer", "OxbowDocuments", "OxbowPlatform",
        "OxbowTestSupport",
      ])
  ])

let together = house(
  "Together",
  [
    library(
      "OxbowRuntime",
      [
        "OxbowFoundation",
        "OxbowAssembly", "OxbowAttributes", "OxbowContainer", "OxbowContext", "OxbowDocuments",
        "OxbowMigration", "OxbowModel", "OxbowPlatform", "OxbowRelational", "OxbowSQLite",
        "OxbowStore", logging,
      ]),
    .macro(
      name: "OxbowMacros",
      dependencies: [
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    library("Oxbow", ["OxbowRuntime", "OxbowMacros"]),
    library("OxbowTesting", ["OxbowFoundation", "OxbowRuntime", "OxbowPlatform"]),
    library("OxbowServices", ["OxbowContainer", logging, lifecycle]),
    library(
      "OxbowCommands",
      [
        "OxbowFoundation",
        "OxbowRuntime", "OxbowAssembly", "OxbowContainer", "OxbowDocuments", "OxbowMigration",
        "OxbowModel", "OxbowPlatform", "OxbowRelational", "OxbowSQLite",
        .target(name: "OxbowPostgres", condition: onServers), arguments,
      ]),
    program("oxbowctl", ["OxbowCommands"]),
  ],
  tests: [
    tests(
      "OxbowRuntimeTests",
      ["OxbowPlatform", "OxbowRuntime", "OxbowTesting", "OxbowTestSupport", logging]),
    tests(
      "OxbowMacrosTests",
      [
        "OxbowTestSupport",
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ], exclude: ["Macros/Plugin.swift"]),
    tests(
      "OxbowTests",
      [
        "Oxbow", "OxbowNodes", "OxbowPostgres", "OxbowTesting", "OxbowTestSupport",
      ], exclude: ["Guides/Fixtures"]),
    tests(
      "OxbowCommandsTests",
      [
        "OxbowCommands", "OxbowMigration", "OxbowPostgres", "OxbowRelational", "OxbowRuntime",
        "OxbowSQLite", "OxbowTestSupport", arguments,
      ],
      exclude: ["Golden"]),
    tests(
      "OxbowServicesTests",
      [
        "Oxbow", "OxbowServices", "OxbowTestSupport", logging, lifecycle,
        .product(
          name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
          condition: .when(traits: ["Services"])),
        .product(
          name: "UnixSignals", package: "swift-service-lifecycle",
          condition: .when(traits: ["Services"])),
      ]),
    tests("ScenesTests", ["scenes", "catalog", "OxbowNodes"]),
    tests(
      "CatalogTests",
      [
        "catalog", "catalogctl", "contacts", "oxbowctl", "CSQLite", "Oxbow", "OxbowTestSupport",
      ]),
  ])

let examples = [
  program(
    "catalog", path: "Examples/Catalog",
    ["Oxbow", .target(name: "OxbowPostgres", condition: onServers), arguments],
    resources: [.copy("Resources")]),
  // The catalog's entities and its names of files are there by links.
  program("catalogctl", path: "Examples/CatalogTool", ["Oxbow", "OxbowCommands"]),
  program(
    "contacts", path: "Examples/Contacts", ["Oxbow", "OxbowCommands"], exclude: ["Migrations"]),
  program(
    "scenes", path: "Examples/Scenes", ["Oxbow", "OxbowNodes", arguments],
    resources: [
      .copy("Resources"),
      // The catalog's, by links, as its entities are.
      .copy("Models/Files.xcdatamodeld"), .copy("Models/Labels.xcdatamodel"),
    ]),
]

let package = Package(
  name: "oxbow",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Oxbow", targets: ["Oxbow"]),
    .library(name: "OxbowRuntime", targets: ["OxbowRuntime"]),
    .library(
      name: "OxbowContainer",
      targets: ["OxbowContainer", "OxbowAssembly", "OxbowConfiguration", "OxbowServices"]),
    .library(name: "OxbowNodes", targets: ["OxbowNodes"]),
    .library(name: "OxbowPostgres", targets: ["OxbowPostgres"]),
    .library(name: "OxbowCommands", targets: ["OxbowCommands"]),
    .library(name: "OxbowTesting", targets: ["OxbowTesting"]),
    .library(name: "OxbowAttributes", targets: ["OxbowAttributes"]),
    .executable(name: "oxbowctl", targets: ["oxbowctl"]),
    .executable(name: "catalog", targets: ["catalog"]),
    .executable(name: "catalogctl", targets: ["catalogctl"]),
    .executable(name: "contacts", targets: ["contacts"]),
    .executable(name: "scenes", targets: ["scenes"]),
  ],
  traits: [
    .default(enabledTraits: ["Languages"]),
    .trait(
      name: "Languages",
      description: "MATCHES, orders of languages and named time zones, with all of Foundation."),
    .trait(name: "Defaults", description: "Preferences in UserDefaults, with all of Foundation."),
    .trait(name: "Metrics", description: "Calls timed with swift-metrics."),
    .trait(name: "Tracing", description: "Calls as spans of swift-distributed-tracing."),
    .trait(
      name: "Configuration", description: "Placeholders from providers of swift-configuration."),
    .trait(name: "PostgreSQL", description: "Stores on a PostgreSQL server, with libpq."),
    .trait(
      name: "Services", description: "Containers as services of swift-service-lifecycle."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    // JSON is one of its defaults.
    .package(
      url: "https://github.com/apple/swift-configuration", from: "1.4.0",
      traits: [.defaults, "CommandLineArguments"]),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
  ],
  targets: ground + persistence + container + nodes + together + examples
)
