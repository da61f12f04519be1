#if os(Linux) && canImport(Runtime)
  @_spi(Internal) @_spi(MemoryReaders) internal import Runtime
#endif

/// A place in a program's own code.
package struct CallSite: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file, the line and the column; line 0 when only the function is known.
  package let file: String
  package let line: Int
  package let column: Int

  /// The function.
  package let function: String

  /// File and line, and the function: `Report.swift:12 in Report.total()`.
  package var description: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return line > 0 ? "\(name):\(line) in \(function)" : function
  }

  /// The nearest caller that is not in one of `modules` and is not a getter or setter.
  ///
  /// It reads the program's debug information, which takes milliseconds in a small program and a
  /// second in one of some hundred megabytes: use it for reports only.
  ///
  /// - Returns: `nil` where the system has no backtraces, or does not let a process read its own
  ///   memory with `process_vm_readv(2)`.
  package static func nearest(outside modules: [String]) -> CallSite? {
    #if os(Linux) && canImport(Runtime)
      // In a mangled name, a module comes first, with its length.
      let prefixes = modules.map { "$s\($0.utf8.count)\($0)" }
      // The images are read through the kernel (0264): if another thread unmaps a file of SQLite in
      // the meantime, that is an error and not a crash.
      let images = ImageMap.capture(using: LocalMemoryReader())
      guard let backtrace = try? Backtrace.capture(limit: 64, images: images),
        let all = backtrace.symbolicated(with: images)
      else { return nil }
      var nearest: CallSite?
      for frame in all.frames {
        guard let symbol = frame.symbol, !symbol.isSystemFunction,
          !prefixes.contains(where: symbol.rawName.hasPrefix),
          let place = symbol.sourceLocation, place.line > 0, !place.path.contains("@__swiftmacro")
        else { continue }
        let site = CallSite(
          file: place.path, line: place.line, column: place.column, function: symbol.name)
        if !isAccessor(symbol.rawName) { return site }
        nearest = nearest ?? site
      }
      return nearest
    #else
      return nil
    #endif
  }

  /// A number for the calls that lead here, without the nearest `offset` ones: equal for equal
  /// calls, and 0 where the system has no backtraces.
  ///
  /// It costs microseconds, because it looks for no names.
  package static func stack(offset: Int) -> Int {
    #if os(Linux) && canImport(Runtime)
      guard let backtrace = try? Backtrace.capture(limit: 64 + offset, top: 0, images: images)
      else { return 0 }
      var hasher = Hasher()
      for frame in backtrace.frames.dropFirst(offset) {
        hasher.combine(frame.originalProgramCounter)
      }
      return hasher.finalize()
    #else
      return 0
    #endif
  }

  #if os(Linux) && canImport(Runtime)
    /// What the process had loaded when it was first asked, by which asynchronous functions are
    /// known; without it, each backtrace would look anew, and end the process where another thread
    /// unmaps a file of SQLite in the meantime (0264).
    private static let images = ImageMap.capture(using: LocalMemoryReader())
  #endif

  /// Whether a mangled name is that of a getter, a setter, or an accessor that replaces both.
  private static func isAccessor(_ name: String) -> Bool {
    ["vg", "vs", "vM", "vr", "ig", "is"].contains { name.hasSuffix($0) }
  }
}
