public import OxbowContext
internal import OxbowModel

/// A request for one part of a result: its number, from 0, and its size.
public struct PageRequest: Sendable, Hashable {
  /// The number of the page; the first one is 0.
  public let number: Int

  /// The largest number of objects on a page.
  public let size: Int

  /// Asks for a page.
  ///
  /// A negative number, and a size that is not positive, are refused when the page is read.
  public init(_ number: Int = 0, size: Int) {
    self.number = number
    self.size = size
  }

  /// The page after this one; the same one where there is no larger number.
  public var next: PageRequest { PageRequest(number < .max ? number + 1 : number, size: size) }

  /// Throws when there is no such page.
  func check() throws(PersistenceError) {
    try PersistenceError.require("number", number, atLeast: 0)
    try PersistenceError.require("size", size, atLeast: 1)
  }

  /// The number of objects before the page, or the largest number.
  var offset: Int {
    let (offset, overflow) = number.multipliedReportingOverflow(by: size)
    return overflow ? .max : offset
  }
}

/// A part of what a repository has found, with the size of the whole.
///
/// The whole is counted and the part is read in two statements, so that another writer may come
/// between them.
public struct Page<Entity: ManagedObject> {
  /// The objects of the page; none beyond the last one.
  public let items: [Entity]

  /// The request.
  public let request: PageRequest

  /// The number of objects on all pages.
  public let totalCount: Int

  /// Creates a page, for a repository that is written by hand.
  public init(items: [Entity], request: PageRequest, totalCount: Int) {
    self.items = items
    self.request = request
    self.totalCount = totalCount
  }

  /// The number of pages; 0 where pages have no size.
  public var pageCount: Int {
    guard request.size > 0 else { return 0 }
    return totalCount / request.size + (totalCount % request.size == 0 ? 0 : 1)
  }

  /// The request for the next page, or `nil` after the last one.
  public var next: PageRequest? {
    (0..<max(pageCount - 1, 0)).contains(request.number) ? request.next : nil
  }
}
