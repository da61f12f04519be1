internal import OxbowStore

/// The objects of a context by key, one map for each root entity.
///
/// The map holds its objects strongly. A weak map is memory-unsafe when the last reference is
/// dropped on another thread while the owner looks the object up, so clean objects that nothing
/// else holds are swept at calm moments instead.
///
/// Keys come in runs, so objects are in pages of 64 neighbours, found by hash; the last page is
/// tried first. The first one is outside of the table, which a unit of work with few objects has
/// no need of. A class, so that a look-up can note that page without a change of the context,
/// which Swift would have to check (docs/performance.md, M/again).
final class IdentityMap {
  private var first: Page?
  private var firstNumber: Int64 = .min
  private var others: [Int64: Page] = [:]

  /// The page of the last access, as memory, so that a look-up counts no reference to it.
  ///
  private var lastNumber: Int64 = .min
  private var lastObjects: Page.Objects?
  private(set) var count = 0

  private final class Page {
    typealias Objects = UnsafeMutablePointer<ManagedObject?>

    static let size = 64
    let objects = Objects.allocate(capacity: size)

    init() { objects.initialize(repeating: nil, count: Self.size) }

    deinit {
      // One by one: `deinitialize(count:)` asks the runtime what an optional is, for each.
      for slot in 0..<Self.size { objects[slot] = nil }
      objects.deallocate()
    }
  }
  subscript(key: Int64) -> ManagedObject? { objects(near: key)?[Int(key & 63)] }

  func insert(_ object: ManagedObject, at key: Int64) {
    let objects = objects(near: key) ?? makePage(of: key)
    let slot = Int(key & 63)
    if objects[slot] == nil { count += 1 }
    objects[slot] = object
  }

  func remove(_ key: Int64) {
    guard let objects = objects(near: key), objects[Int(key & 63)] != nil else { return }
    objects[Int(key & 63)] = nil
    count -= 1
  }

  /// Drops an object, whatever its state, if nothing else holds it.
  ///
  /// - Returns: Whether it was dropped.
  func dropIfUnheld(_ key: Int64) -> Bool {
    guard let objects = objects(near: key) else { return false }
    let slot = Int(key & 63)
    guard objects[slot] != nil, isKnownUniquelyReferenced(&objects[slot]) else { return false }
    objects[slot] = nil
    count -= 1
    return true
  }

  /// Drops the clean objects that nothing else holds.
  ///
  /// - Complexity: O(objects), some 4 ns each, and the release of those dropped.
  func sweep() {
    if let page = first, sweep(page) { (first, firstNumber) = (nil, .min) }
    for (number, page) in others where sweep(page) { others[number] = nil }
  }

  /// Drops the clean objects of a page that nothing else holds.
  ///
  /// - Returns: Whether it is empty.
  private func sweep(_ page: Page) -> Bool {
    let objects = page.objects
    var isEmpty = true
    for slot in 0..<Page.size where objects[slot] != nil {
      if isKnownUniquelyReferenced(&objects[slot]),
        objects[slot]?._state.isDisjoint(with: .changed) == true
      {
        objects[slot] = nil
        count -= 1
      } else {
        isEmpty = false
      }
    }
    // At the end, because objects that go may look others up.
    lastObjects = nil
    lastNumber = .min
    return isEmpty
  }

  func removeAll() {
    lastObjects = nil
    lastNumber = .min
    (first, firstNumber) = (nil, .min)
    others = [:]
    count = 0
  }

  func forEach(_ body: (ManagedObject) -> Void) {
    if let first { forEach(of: first, body) }
    for page in others.values { forEach(of: page, body) }
  }

  private func forEach(of page: Page, _ body: (ManagedObject) -> Void) {
    for slot in 0..<Page.size { if let object = page.objects[slot] { body(object) } }
  }

  /// The memory of the page of a key.
  private func objects(near key: Int64) -> Page.Objects? {
    let number = key >> 6
    if number == lastNumber { return lastObjects }
    guard let page = number == firstNumber ? first : others[number] else { return nil }
    lastNumber = number
    lastObjects = page.objects
    return page.objects
  }

  private func makePage(of key: Int64) -> Page.Objects {
    let page = Page()
    lastNumber = key >> 6
    if first == nil { (first, firstNumber) = (page, lastNumber) } else { others[lastNumber] = page }
    lastObjects = page.objects
    return page.objects
  }
}
