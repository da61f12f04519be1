internal import OxbowStore

/// The objects of a context by key, one map for each root entity.
///
/// The map holds its objects strongly. A weak map is memory-unsafe when the last reference is dropped
/// on another thread while the owner looks the object up; so clean objects that nobody else holds are
/// swept out at calm moments instead.
///
/// Keys come in runs, so objects stand in pages of 64 neighbours, found by hash; the page that was
/// used last is tried first.
struct IdentityMap {
  private var pages: [Int64: Page] = [:]
  private var lastNumber: Int64 = .min
  private var lastPage: Page?

  /// The number of objects.
  private(set) var count = 0

  private final class Page {
    var objects: ContiguousArray<ManagedObject?> = ContiguousArray(repeating: nil, count: 64)
    var count = 0
  }

  subscript(key: Int64) -> ManagedObject? {
    mutating get {
      guard let page = page(of: key) else { return nil }
      return page.objects[Int(key & 63)]
    }
  }

  mutating func insert(_ object: ManagedObject, at key: Int64) {
    let page = page(of: key) ?? makePage(of: key)
    let slot = Int(key & 63)
    if page.objects[slot] == nil {
      page.count += 1
      count += 1
    }
    page.objects[slot] = object
  }

  mutating func remove(_ key: Int64) {
    guard let page = page(of: key), page.objects[Int(key & 63)] != nil else { return }
    page.objects[Int(key & 63)] = nil
    page.count -= 1
    count -= 1
  }

  /// Drops an object, whatever its state, if nobody else holds it.
  ///
  /// - Returns: Whether it was dropped.
  mutating func dropIfUnheld(_ key: Int64) -> Bool {
    guard let page = page(of: key) else { return false }
    let slot = Int(key & 63)
    guard page.objects[slot] != nil, isKnownUniquelyReferenced(&page.objects[slot]) else {
      return false
    }
    remove(key)
    return true
  }

  /// Drops the clean objects that nobody else holds.
  ///
  /// - Complexity: O(objects), some 4 ns each, and the release of those dropped.
  mutating func sweep() {
    lastPage = nil
    lastNumber = .min
    for (number, page) in pages {
      page.objects.withUnsafeMutableBufferPointer { objects in
        for slot in objects.indices
        where objects[slot] != nil && isKnownUniquelyReferenced(&objects[slot])
          && objects[slot]?._state.isDisjoint(with: .changed) == true
        {
          objects[slot] = nil
          page.count -= 1
          count -= 1
        }
      }
      if page.count == 0 { pages[number] = nil }
    }
  }

  func forEach(_ body: (ManagedObject) -> Void) {
    for page in pages.values {
      for object in page.objects { if let object { body(object) } }
    }
  }

  private mutating func page(of key: Int64) -> Page? {
    let number = key >> 6
    if number == lastNumber { return lastPage }
    guard let page = pages[number] else { return nil }
    lastNumber = number
    lastPage = page
    return page
  }

  private mutating func makePage(of key: Int64) -> Page {
    let page = Page()
    pages[key >> 6] = page
    lastNumber = key >> 6
    lastPage = page
    return page
  }
}
