import Oxbow

/// A directory whose files a worker brings up to date: only values, which may change threads.
struct FolderWork: Sendable {
  let folder: ManagedObjectID
  let path: RawName
  let files: [RawName]

  /// Asks the file system for the files.
  func readFiles() -> FoundFiles {
    var found = FoundFiles()
    do throws(FileSystemError) {
      let directory = try OpenDirectory(path)
      for name in files { found.add(name, in: directory) }
    } catch {
      if !error.isGone { found.unreadable[path] = error }
      found.isComplete = false
    }
    return found
  }
}

/// The files that were found in a directory.
struct FoundFiles: Sendable {
  var files: [(name: RawName, facts: FileFacts)] = []
  var unreadable: [RawName: FileSystemError] = [:]
  /// Whether the directory itself could be read.
  var isComplete = true

  fileprivate mutating func add(_ name: RawName, in directory: borrowing OpenDirectory) {
    do throws(FileSystemError) {
      if let facts = try directory.facts(of: name) { files.append((name, facts)) }
    } catch {
      unreadable[name] = error
    }
  }
}
