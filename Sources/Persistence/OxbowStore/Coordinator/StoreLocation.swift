/// The location of a store.
public enum StoreLocation: Sendable, Hashable {
  /// In a SQLite file, with `-wal`, `-shm` and `-lock` beside it while it is open, and with the
  /// folder `-files` where large values are in files.
  case file(String)

  /// In a file of the system's temporary directory, removed when the store is closed.
  ///
  /// It works like a store in a file, with one writer and concurrent readers, but never waits for
  /// the medium. For tests that need real concurrency.
  case temporary

  /// In memory, gone when the store is closed.
  ///
  /// One connection does everything: readers and writers take turns.
  case inMemory

  /// In memory, loaded from a store of the program's own and saved to it with each save.
  ///
  /// The options `isReadOnly`, `createsStore` and those for logs and values apply. There are no
  /// migrations: the store opens with the entities that it was saved for. Of several stores, these
  /// commit first; a save of two of them can be kept by one and refused by the other
  /// (`partlySaved`).
  case atomic(any AtomicStore)
}

extension StoreLocation {
  /// Whether both are the same location: the same path, the same object.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.file(let a), .file(let b)): a == b
    case (.temporary, .temporary), (.inMemory, .inMemory): true
    case (.atomic(let a), .atomic(let b)): a === b
    default: false
    }
  }

  /// Hashes the location.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .file(let path): hasher.combine(path)
    case .temporary: hasher.combine(0)
    case .inMemory: hasher.combine(1)
    case .atomic(let store): hasher.combine(ObjectIdentifier(store))
    }
  }
}
