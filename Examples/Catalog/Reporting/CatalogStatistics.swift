import Foundation
import Oxbow

/// The questions that a report asks.
///
/// The service behind it counts the whole store when it is made. The program has a proxy instead,
/// which makes the service with the first question: `index` never asks one and never pays.
@Proxied protocol CatalogStatistics {
  /// The directories that were indexed.
  func volumes() throws -> [String]

  /// The numbers of everything, at the moment of the first question.
  func totals() throws -> Totals

  /// The kinds whose files take up most space.
  func largestKinds(limit: Int) throws -> [KindTotal]

  /// The largest files.
  func largestFiles(limit: Int) throws -> [FileEntry]

  /// Files of one name and size, the largest first.
  ///
  /// At most `limit` groups are returned; `among` files are looked at, from the largest on.
  func likelyDuplicates(limit: Int, among: Int) throws -> [DuplicateGroup]

  /// The folder whose own files take up most space.
  func fullestFolder() throws -> FolderTotal?

  /// The labels and the numbers of their files.
  func labels() throws -> [LabelTotal]
}

extension CatalogStatisticsProxy: CatalogStatisticsForwarding {}

/// The numbers of a store's objects.
struct Totals: Sendable, Codable, Hashable {
  let files: Int
  let folders: Int
  let kinds: Int
  let bytes: Int
}

/// The files of one kind.
struct KindTotal: Sendable, Codable, Hashable {
  let kind: String
  let files: Int
  let bytes: Int
}

/// One file.
struct FileEntry: Sendable, Codable, Hashable {
  let path: String
  let bytes: Int
}

/// Files of one name and size.
struct DuplicateGroup: Sendable, Codable, Hashable {
  let name: String
  let bytes: Int
  let folders: [String]

  /// What could be saved if they are the same.
  var wastedBytes: Int { bytes * (folders.count - 1) }
}

/// One folder and its own files.
struct FolderTotal: Sendable, Codable, Hashable {
  let path: String
  let files: Int
  let bytes: Int
}

/// One label.
struct LabelTotal: Sendable, Codable, Hashable {
  let label: String
  let files: Int
}
