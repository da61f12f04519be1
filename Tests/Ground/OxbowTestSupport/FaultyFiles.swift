internal import CSQLite
internal import OxbowPlatform

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

// A layer between SQLite and its files that fails on purpose. It is SQLite's default once it is
// registered, and does nothing for files outside of the folders that a test names, so that tests
// running beside it do not notice.

/// What goes wrong with the files of a folder, and when.
public final class FaultPlan: Sendable {
  /// What fails an operation.
  public enum Cause: String, CaseIterable, Sendable {
    case inputOutput = "I/O error"
    case fullDisk = "full disk"
    /// The process ends before the operation, or in the middle of a write.
    case kill
  }

  private struct State {
    /// The operation to fail, counted from 1 over all kinds; 0 for none.
    var failing = 0
    var cause = Cause.inputOutput
    /// Whether all later operations fail too.
    var forEver = false
    var count = 0
    var failed: [String] = []
  }

  private let state = Lock(State())

  /// The operations since the plan was armed.
  public var count: Int { state.withLock(\.count) }

  /// The kind of each operation that was failed.
  public var failed: [String] { state.withLock(\.failed) }

  public func arm(_ number: Int, _ cause: Cause, forEver: Bool = false) {
    state.withLock { $0 = State(failing: number, cause: cause, forEver: forEver) }
  }

  public func disarm() { arm(0, .inputOutput) }

  /// The result code of an operation, when it is to fail.
  fileprivate func next(_ operation: FileOperation, isHalfDone: () -> Void = {}) -> Int32? {
    guard let cause = cause(operation) else { return nil }
    if cause == .kill {
      isHalfDone()
      kill(getpid(), SIGKILL)
    }
    errno = cause == .fullDisk ? ENOSPC : EIO
    return operation.code(cause)
  }

  private func cause(_ operation: FileOperation) -> Cause? {
    state.withLock { state in
      state.count += 1
      guard state.failing > 0,
        state.count == state.failing || state.forEver && state.count > state.failing
      else { return nil }
      // A full disk does not keep a program from removing or shortening a file.
      if state.cause == .fullDisk, operation == .delete || operation == .truncate { return nil }
      state.failed.append(operation.rawValue)
      return state.cause
    }
  }
}

/// What may fail.
private enum FileOperation: String {
  case open, write, sync, truncate, delete, map

  /// The codes that SQLite's own layer for the system has in these cases.
  func code(_ cause: FaultPlan.Cause) -> Int32 {
    func inputOutput(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }
    switch self {
    case .open: return SQLITE_CANTOPEN
    case .write: return cause == .fullDisk ? SQLITE_FULL : inputOutput(3)
    case .sync: return inputOutput(4)
    case .truncate: return inputOutput(6)
    case .delete: return inputOutput(10)
    case .map: return inputOutput(cause == .fullDisk ? 19 : 21)
    }
  }
}

/// The layer.
public enum FaultyFiles {
  private static let plans = Lock<[String: FaultPlan]>([:])
  private nonisolated(unsafe) static let name = strdup("oxbow-faults")

  fileprivate nonisolated(unsafe) static let base = given(sqlite3_vfs_find(nil))
  fileprivate nonisolated(unsafe) static let methods = makeMethods()

  // Unsafe only for the compiler: both are written once, before SQLite sees them.
  private nonisolated(unsafe) static let layer: UnsafeMutablePointer<sqlite3_vfs> = {
    let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    layer.initialize(to: base.pointee)
    layer.pointee.pNext = nil
    layer.pointee.zName = UnsafePointer(name)
    layer.pointee.szOsFile += Int32(MemoryLayout<FaultyFile>.stride)
    layer.pointee.xOpen = { _, name, file, flags, outFlags in
      FaultyFiles.open(name, file, flags, outFlags)
    }
    layer.pointee.xDelete = { _, name, syncs in
      if let code = FaultyFiles.plan(name)?.next(.delete) { return code }
      return FaultyFiles.base.pointee.xDelete(FaultyFiles.base, name, syncs)
    }
    sqlite3_vfs_register(layer, 1)
    return layer
  }()

  /// The plan for the files below a folder; it holds until ``forget(_:)``.
  public static func plan(for folder: String) -> FaultPlan {
    _ = layer
    let plan = FaultPlan()
    plans.withLock { $0[folder + "/"] = plan }
    return plan
  }

  public static func forget(_ folder: String) {
    plans.withLock { $0[folder + "/"] = nil }
  }

  fileprivate static func plan(_ name: UnsafePointer<CChar>?) -> FaultPlan? {
    guard let name else { return nil }
    return plans.withLock { plans in
      guard !plans.isEmpty else { return nil }
      let path = String(cString: name)
      return plans.first { path.hasPrefix($0.key) }?.value
    }
  }
}

/// What SQLite always gives.
private func given<T>(_ value: T?) -> T {
  guard let value else { preconditionFailure("SQLite gave nothing") }
  return value
}

/// What SQLite keeps for an open file: this, and the file of the layer below behind it.
private struct FaultyFile {
  var header: sqlite3_file
  var plan: Unmanaged<FaultPlan>
}

private typealias File = UnsafeMutablePointer<sqlite3_file>

private func below(_ file: File?) -> File {
  let start = UnsafeMutableRawPointer(given(file)) + MemoryLayout<FaultyFile>.stride
  return start.assumingMemoryBound(to: sqlite3_file.self)
}

private func planned(_ file: File?) -> FaultPlan {
  UnsafeMutableRawPointer(given(file)).assumingMemoryBound(to: FaultyFile.self).pointee.plan
    .takeUnretainedValue()
}

extension FaultyFiles {
  fileprivate static func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file, let plan = plan(name) else {
      return base.pointee.xOpen(base, name, file, flags, outFlags)
    }
    file.pointee.pMethods = nil
    if let code = plan.next(.open) { return code }
    let code = base.pointee.xOpen(base, name, below(file), flags, outFlags)
    guard below(file).pointee.pMethods != nil else { return code }
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: FaultyFile.self).initialize(
      to: FaultyFile(header: sqlite3_file(pMethods: methods), plan: .passRetained(plan)))
    return code
  }

  private static func makeMethods() -> UnsafePointer<sqlite3_io_methods> {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var all = sqlite3_io_methods()
    all.iVersion = 2
    passOn(&all)
    all.xClose = { file in
      let code = below(file).pointee.pMethods.pointee.xClose(below(file))
      UnsafeMutableRawPointer(given(file)).assumingMemoryBound(to: FaultyFile.self).pointee.plan
        .release()
      return code
    }
    all.xWrite = { file, bytes, count, offset in
      let real = below(file)
      let write = given(real.pointee.pMethods.pointee.xWrite)
      let half = { _ = write(real, bytes, count / 2, offset) }
      return planned(file).next(.write, isHalfDone: half) ?? write(real, bytes, count, offset)
    }
    all.xTruncate = { file, size in
      planned(file).next(.truncate)
        ?? below(file).pointee.pMethods.pointee.xTruncate(below(file), size)
    }
    all.xSync = { file, flags in
      planned(file).next(.sync) ?? below(file).pointee.pMethods.pointee.xSync(below(file), flags)
    }
    all.xShmMap = { file, region, size, extends, result in
      let map = given(below(file).pointee.pMethods.pointee.xShmMap)
      guard extends != 0 else { return map(below(file), region, size, extends, result) }
      return planned(file).next(.map) ?? map(below(file), region, size, extends, result)
    }
    methods.initialize(to: all)
    return UnsafePointer(methods)
  }

  /// What never fails.
  private static func passOn(_ all: inout sqlite3_io_methods) {
    all.xRead = { file, bytes, count, offset in
      below(file).pointee.pMethods.pointee.xRead(below(file), bytes, count, offset)
    }
    all.xFileSize = { file, size in
      below(file).pointee.pMethods.pointee.xFileSize(below(file), size)
    }
    all.xLock = { file, level in below(file).pointee.pMethods.pointee.xLock(below(file), level) }
    all.xUnlock = { file, level in
      below(file).pointee.pMethods.pointee.xUnlock(below(file), level)
    }
    all.xCheckReservedLock = { file, result in
      below(file).pointee.pMethods.pointee.xCheckReservedLock(below(file), result)
    }
    all.xFileControl = { file, operation, argument in
      below(file).pointee.pMethods.pointee.xFileControl(below(file), operation, argument)
    }
    all.xSectorSize = { file in below(file).pointee.pMethods.pointee.xSectorSize(below(file)) }
    all.xDeviceCharacteristics = { file in
      below(file).pointee.pMethods.pointee.xDeviceCharacteristics(below(file))
    }
    all.xShmLock = { file, offset, count, flags in
      below(file).pointee.pMethods.pointee.xShmLock(below(file), offset, count, flags)
    }
    all.xShmBarrier = { file in below(file).pointee.pMethods.pointee.xShmBarrier(below(file)) }
    all.xShmUnmap = { file, deletes in
      below(file).pointee.pMethods.pointee.xShmUnmap(below(file), deletes)
    }
  }
}
