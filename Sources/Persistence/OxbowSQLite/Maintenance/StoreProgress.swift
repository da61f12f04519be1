/// How far the copying of a store is.
public struct StoreProgress: Sendable, Hashable {
  /// The pages that were copied.
  public let completedPages: Int

  /// All pages.
  public let totalPages: Int

  /// The part that was copied, from 0 to 1.
  public var fraction: Double {
    totalPages > 0 ? Double(completedPages) / Double(totalPages) : 1
  }
}
