internal import ArgumentParser
internal import OxbowModel
internal import OxbowRuntime

/// Names a folder of stores, for a command that works on one or on each.
struct StoresOption: ParsableArguments {
  @Option(
    name: .customLong("all"),
    help:
      "A folder with a store for each tenant (NAME.sqlite): all of them, with a report for each.",
    completion: .directory)
  var folder: String?

  /// Requires one store or a folder of them.
  func require(_ options: MigrationOptions) throws {
    guard folder != nil else { return try options.requireStore() }
    if options.givenStore != nil { throw ValidationError("Give --store or --all, not both.") }
  }

  /// Runs `body` for the store that options name, or for each of the folder; a store that fails
  /// does not keep others from their turn.
  func results<One: OneStoreResult>(
    _ options: MigrationOptions, _ console: Console,
    _ body: (MigrationOptions, Console) throws -> One
  ) throws -> StoresResult<One> {
    guard let folder else { return .one(try body(options, console)) }
    let place = try TenantFolder(folder)
    let (tenants, others) = try place.contents()
    guard !tenants.isEmpty else {
      throw PersistenceError(
        .storeUnreachable,
        "the folder '\(folder)' has no store of a tenant (NAME.sqlite); check the path given with --all"
      )
    }
    for file in others { console.note("passed over '\(file)', which is not named after a tenant") }
    var stores: [StoresResult<One>.Store] = []
    for tenant in tenants where !Interruption.isRequested {
      var (one, itsConsole) = (options, console)
      one.givenStore = try place.store(of: tenant)
      itsConsole.prefix = "\(tenant): "
      do {
        stores.append(.init(tenant: tenant, result: try body(one, itsConsole), error: nil))
      } catch {
        stores.append(.init(tenant: tenant, result: nil, error: ToolFailure(error)))
      }
    }
    return .all(folder, stores, notBegun: tenants.count - stores.count)
  }
}

/// A result for one store, which can be one of many.
protocol OneStoreResult: ToolResult {
  /// The lines in a report on many stores.
  var briefLines: [String] { get }
}

extension OneStoreResult {
  var briefLines: [String] { lines }
}

/// What a command found out or did for one store, or for each of a folder.
enum StoresResult<One: OneStoreResult>: ToolResult {
  case one(One)
  case all(String, [Store], notBegun: Int)

  struct Store: Encodable {
    let tenant: String
    let result: One?
    let error: ToolFailure?

    fileprivate var lines: [String] {
      let text = error.map { "error: \($0.message)\($0.afterMessage)" }
      let lines =
        text.map { $0.split(separator: "\n").map(String.init) } ?? result?.briefLines ?? []
      return lines.count == 1
        ? ["\(tenant): \(lines[0])"] : ["\(tenant):"] + lines.map { "  \($0)" }
    }
  }

  private struct Document: Encodable {
    let folder: String
    let stores: [Store]
    let failed: Int
    let notBegun: Int
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .one(let result): try result.encode(to: encoder)
    case .all(let folder, let stores, let notBegun):
      let failed = stores.count { $0.error != nil }
      try Document(folder: folder, stores: stores, failed: failed, notBegun: notBegun)
        .encode(to: encoder)
    }
  }

  var lines: [String] {
    switch self {
    case .one(let result): return result.lines
    case .all(_, let stores, let notBegun):
      let failed = stores.count { $0.error != nil }
      return stores.flatMap(\.lines) + [
        "\(counted(stores.count, "store")), \(failed == 0 ? "none" : "\(failed)") failed"
          + (notBegun > 0 ? ", \(notBegun) not begun" : "")
      ]
    }
  }

  var hint: String? {
    guard case .one(let result) = self else {
      return exitCode == 0 || exitCode == 2
        ? nil : "next: put right what is said above, and run it again: what is done stays done"
    }
    return result.hint
  }

  /// That of the failures, if they are of one kind.
  var exitCode: Int32 {
    guard case .all(_, let stores, let notBegun) = self else {
      if case .one(let result) = self { return result.exitCode }
      return 0
    }
    let codes = Set(stores.compactMap { $0.error?.exitCode } + (notBegun > 0 ? [130] : []))
    if codes.contains(130) { return 130 }
    if let code = codes.first { return codes.count == 1 ? code : 1 }
    return stores.compactMap { $0.result?.exitCode }.max() ?? 0
  }
}
