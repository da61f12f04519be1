internal import OxbowFoundation
internal import Synchronization

/// The files of large values that are mapped into the memory of the process.
///
/// A file that is removed meanwhile is there until its last bytes are given back.
enum MappedFiles {
  /// How many there may be.
  ///
  /// Linux allows a process 65,530 pieces of memory, and threads and `malloc` need some.
  static let most = 1 << 14

  private static let count = Atomic(0)

  /// How many there are.
  static var current: Int { count.load(ordering: .relaxed) }

  /// The bytes of an open file; `nil` when the system has no room for them, or there are too many.
  ///
  /// A change of the bytes changes a copy: the memory is private, and what is handed out is
  /// shared until it is given back.
  static func map(_ descriptor: Int32, count size: Int) -> Data? {
    guard count.add(1, ordering: .relaxed).newValue <= most,
      let memory = System.mapFile(descriptor, count: size)
    else {
      count.subtract(1, ordering: .relaxed)
      return nil
    }
    return Data(
      bytesNoCopy: memory, count: size,
      deallocator: .custom { memory, size in
        System.unmap(memory, count: size)
        count.subtract(1, ordering: .relaxed)
      })
  }
}
