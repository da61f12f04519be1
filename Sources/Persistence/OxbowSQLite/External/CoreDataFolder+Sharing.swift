extension CoreDataFolder {
  /// Another store of Core Data that has its large values in the folder of a store, since only the
  /// extensions of their names differ.
  static func otherStore(sharing store: String) -> String? {
    let support = CoreDataFolder(ofStore: store).support
    guard System.isDirectory(support) else { return nil }
    let cut = store.lastIndex(of: "/").map { store.index(after: $0) } ?? store.startIndex
    let (folder, own) = (String(store[..<cut]), store[cut...])
    // Without an extension, a file under way to the store's own name shares the folder with it.
    func isOwn(_ name: String) -> Bool {
      name == own || name == "\(own).removed" || name.hasPrefix("\(own).part-")
    }
    return System.names(in: folder.isEmpty ? "." : folder).sorted().first { name in
      !isOwn(name) && !["-wal", "-shm", "-journal", "-lock"].contains(where: name.hasSuffix)
        && CoreDataFolder(ofStore: folder + name).support == support
        && Connection.isOfCoreData(folder + name)
    }
  }
}

extension Connection {
  var isOfCoreData: Bool { get throws { try tableNames().contains("Z_METADATA") } }

  /// Whether there is a store of Core Data at a path; looking leaves no trace.
  static func isOfCoreData(_ path: String) -> Bool {
    let store = System.realPath(path)
    guard System.fileID(store) != nil else { return false }
    let found = try? ReadOnlyProbe.read(store, busyMilliseconds: 5000) { try $0.isOfCoreData }
    return found == true
  }
}
