/// What tells the databases of a process apart: the file, and how it is open.
struct DatabaseKey: Hashable, Sendable {
  let file: System.FileID
  let isReadOnly: Bool
}
