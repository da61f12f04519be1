import Oxbow
import Testing

@Proxied protocol Titled {
  func title() throws -> String
}

@Proxied protocol Priced: Titled {
  var price: Int { get throws }
}

@Proxied protocol Lent: Titled, Sendable {
  func lend<Reader>(to reader: Reader, days: inout Int) async throws -> [Reader]
}

@Proxied(also: Titled.self) protocol LibraryBook: Priced & Lent {
  subscript(page: Int) -> String { get throws }
}

@Proxied protocol Shelf<Key> {
  associatedtype Key: Hashable & Sendable
  func book(at key: Key) throws -> String
  func fill(with makeBook: @autoclosure () throws -> String) throws
}

enum Rooms {
  @Proxied protocol Hall {
    func enter() throws -> String
  }
}

final class Novel: LibraryBook {
  var price: Int { 12 }
  func title() -> String { "Kim" }
  func lend<Reader>(to reader: Reader, days: inout Int) async -> [Reader] {
    days += 14
    return [reader]
  }
  subscript(page: Int) -> String { "page \(page)" }
}

final class Cupboard: Shelf {
  func book(at key: Int) -> String { "book \(key)" }
  func fill(with makeBook: @autoclosure () throws -> String) throws { _ = try makeBook() }
}

struct Vanished: Error {}

@Suite struct ProxiedTests {
  @Test func `every requirement reaches the target, inherited ones too`() async throws {
    let book: any LibraryBook = LibraryBookProxy(source: LazySource { Novel() })
    #expect(try book.title() == "Kim")
    #expect(try book.price == 12)
    #expect(try book[3] == "page 3")
    var days = 1
    #expect(try await book.lend(to: "Ada", days: &days) == ["Ada"])
    #expect(days == 15)
  }

  @Test func `a generic proxy stands for a protocol with a primary associated type`() throws {
    let shelf: any Shelf<Int> = ShelfProxy<Int>(source: LazySource { Cupboard() })
    #expect(try shelf.book(at: 4) == "book 4")
    #expect(throws: Vanished.self) { try shelf.fill(with: { throw Vanished() }()) }
  }

  @Test func `a target that cannot be built is reported by the call`() {
    let book = PricedProxy(source: LazySource { throw Vanished() })
    #expect(throws: Vanished.self) { _ = try book.price }
    #expect(!book.isTargetMaterialized)
  }

  @Test func `a proxy tells which classes it can stand for`() {
    #expect(PricedProxy.accepts(Novel.self))
    #expect(!PricedProxy.accepts(Cupboard.self))
  }

  @Test func `a container wires proxies of annotated protocols`() throws {
    let builder = ContainerBuilder()
    let book = builder.singleton("book", lazy: LibraryBookProxy.self, Novel.init)
    let container = try builder.build()
    #expect(try container.object(book).title() == "Kim")
    withExtendedLifetime(container) {}
  }
}
