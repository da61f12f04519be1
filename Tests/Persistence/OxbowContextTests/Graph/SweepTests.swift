import OxbowModel
import OxbowStore
import Testing

@testable import OxbowContext

/// What happens while a sweep drops objects.
@Suite struct SweepTests {
  /// An object that does something when it goes.
  private final class Leaver: ManagedObject {
    var leave: (() -> Void)?

    deinit { leave?() }
  }

  @Test func `an object that goes in a sweep may look others up`() throws {
    let graph = try Graph()
    let context = graph.context()
    let slab = RowSlab(referencesOf: graph.coordinator.model, capacity: 2)
    slab._owner = context.token
    for key in [Int64(64), 65] { slab.append(ObjectReference(entity: 0, key: key)) }
    let map = IdentityMap()
    func insert(_ leave: (() -> Void)?) {
      let object = Leaver(_slab: slab, row: 0, state: [])
      object.leave = leave
      map.insert(object, at: 64)
    }
    insert { [unowned map] in #expect(map[65] == nil) }
    map.sweep()
    #expect(map.count == 0)
    insert(nil)
    var found = 0
    map.forEach { _ in found += 1 }
    #expect(found == 1 && map[64] != nil)
    map.removeAll()
    withExtendedLifetime(context) {}
  }
}
