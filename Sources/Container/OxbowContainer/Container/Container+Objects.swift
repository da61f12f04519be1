internal import OxbowDocuments

extension Container {
  // MARK: - By name

  /// Returns an object that may be used by several threads.
  ///
  /// - Parameters:
  ///   - name: The object's name.
  ///   - type: Its type, or a type that it can be seen as.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  /// - Returns: The object.
  /// - Throws: ``ContainerError``: `unknownObject`, `typeMismatch`, `sharedNotSendable`,
  ///   `confinedEscapes`, `constructionFailed`, `constructionDeadlock`.
  public func object<T: Sendable>(
    _ name: String, as type: T.Type = T.self, file: String = #fileID, line: Int = #line
  ) throws -> T {
    guard let entry = engine.unretainedEntry(named: name) else {
      throw engine.unknown(name, at: SourceLocation(file: file, line: line))
    }
    return try asking(name) { try entry._withUnsafeGuaranteedRef { try sendable($0) } }
  }

  /// Returns a new object, or one that is `Sendable` under a type that does not say so.
  ///
  /// The object is the caller's: it can be sent on. The parameters are those of the function for
  /// `Sendable` objects.
  ///
  /// - Throws: ``ContainerError``: `unknownObject`, `typeMismatch`, `confinedEscapes`,
  ///   `constructionFailed`, `constructionDeadlock`.
  public func object<T>(
    _ name: String, as type: T.Type = T.self, file: String = #fileID, line: Int = #line
  ) throws -> sending T {
    guard let entry = engine.unretainedEntry(named: name) else {
      throw engine.unknown(name, at: SourceLocation(file: file, line: line))
    }
    // See `disconnected(_:)`.
    nonisolated(unsafe) let object: T = try asking(name) {
      try entry._withUnsafeGuaranteedRef { try disconnected($0) }
    }
    return object
  }

  // MARK: - By reference

  /// Returns an object that may be used by several threads.
  ///
  /// - Parameter ref: A reference of the container's builder, which is quicker than a name, one by
  ///   name, or one that delivers something else, which is linked by each call.
  /// - Returns: The object.
  /// - Throws: ``ContainerError``, as when asked by name.
  public func object<T: Sendable>(_ ref: Ref<T>) throws -> T {
    guard let entry = engine.unretainedEntry(of: ref) else {
      if ref.isDerived {
        return try asking(ref.name) { try derived(ref, requiresSendable: true) }
      }
      let entry = try engine.entry(of: ref)
      return try asking(entry.name) { try sendable(entry) }
    }
    return try asking(ref.name) { try entry._withUnsafeGuaranteedRef { try typed($0) } }
  }

  /// Returns a new object, or one that is `Sendable` under a type that does not say so.
  ///
  /// - Throws: ``ContainerError``, as when asked by name.
  public func object<T>(_ ref: Ref<T>) throws -> sending T {
    // See `disconnected(_:)`.
    guard let entry = engine.unretainedEntry(of: ref) else {
      if ref.isDerived {
        nonisolated(unsafe) let object: T = try asking(ref.name) {
          try derived(ref, requiresSendable: false)
        }
        return object
      }
      let entry = try engine.entry(of: ref)
      nonisolated(unsafe) let object: T = try asking(entry.name) { try disconnected(entry) }
      return object
    }
    nonisolated(unsafe) let object: T = try asking(ref.name) {
      try entry._withUnsafeGuaranteedRef { try typed($0) }
    }
    return object
  }

  // MARK: - Kinds of objects

  /// Every kind of object that may leave as a `Sendable` type: of a definition that is `Sendable`,
  /// or of exactly the type asked for, which the caller has proved to be.
  private func sendable<T: Sendable>(_ entry: Engine.Entry) throws -> T {
    try refuseConfined(entry)
    guard entry.isSendable || entry.producesExactly(T.self) else {
      throw ContainerError(
        .requestNotSendable(entry.name, typeName: "\(entry.type)", wanted: "\(T.self)")
          .at(entry.location),
        getting: entry.name)
    }
    return try cast(entry)
  }

  private func disconnected<T>(_ entry: Engine.Entry) throws -> sending T {
    try refuseConfined(entry)
    // Either one shared object, which validation has found to be Sendable, or a new one: nothing
    // that it reaches is shared unless that is Sendable, because prototypes may not refer to
    // objects of threads, and only the caller refers to it.
    nonisolated(unsafe) let object: T = try cast(entry)
    return object
  }

  func refuseConfined(_ entry: Engine.Entry) throws {
    guard entry.sharing == .confined else { return }
    throw ContainerError(
      .confinedRequest(entry.name, scope: entry.scope).at(entry.location), getting: entry.name)
  }

  /// The object of an entry that makes exactly objects of `T`.
  ///
  /// The fast path beside `cast`: it neither asks the runtime for types nor casts
  /// (`docs/performance.md`, K/singleton).
  private func typed<T>(_ entry: Engine.Entry) throws -> T {
    do {
      return try Unmanaged.passUnretained(entry.provider)._withUnsafeGuaranteedRef {
        try unsafeDowncast($0, to: ObjectProvider<T>.self).make(nil)
      }
    } catch {
      throw answer(error, for: entry)
    }
  }

  func cast<T>(_ entry: Engine.Entry) throws -> T {
    entry.producesExactly(T.self) ? try typed(entry) : try slowCast(entry)
  }

  private func slowCast<T>(_ entry: Engine.Entry) throws -> T {
    do {
      let object = try entry.provider.makeAny(nil)
      if let object = object as? T { return object }
      throw ContainerError(
        .typeMismatch(
          entry.name, object: object, wanted: "\(T.self)",
          behind: entry.surrounded.flatMap {
            TypeFit.of($0.type, in: T.self) == .fits ? $0 : nil
          }), task: "")
    } catch {
      throw answer(error, for: entry)
    }
  }

  private func answer(_ error: any Error, for entry: Engine.Entry) -> any Error {
    guard let error = error as? ContainerError else { return error }
    return error.doing("get object \"\(entry.name)\"").located(at: entry.location)
  }
}
