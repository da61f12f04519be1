// Types in a public extension are public, and so are their generated members.
// expect-ok

import Oxbow

public enum Shop {}

public extension Shop {
  @Entity class Book: ManagedObject {
    var title: String = ""
  }
  @Component final class Till: Sendable {
    init() {}
  }
  @Woven class Clerk {
    func sell() throws {}
  }
  @Configuration("shop") struct Settings {
    var port: Int = 80
  }
  @Proxied(aspects: true) protocol Lending {
    func lend(to: String, in: inout Int) throws
    func wait(for: String) async throws
  }
}

public struct Rule<Key: Hashable & Sendable> {}

@Proxied public protocol Rules<Key> {
  associatedtype Key: Hashable, Sendable
  func rule(for: Key) throws -> Rule<Key>
}

@Woven final class Overloads {
  func sell(_ number: Int) throws {}
  func sell(_ number: Int) async throws {}
  func sell<T: Equatable>(_ ware: T) {}
  func sell<T: Error>(_ ware: T) {}
  func load(for: Int, in: inout Int) throws { `in` += `for` }
}

@Repository protocol Books: Repository<Shop.Book> {
  @Query("title == \"Kindred\" OR title == $in") func named(in: String) throws -> [Shop.Book]
  @Query("title == $class") func titled(_ `class`: String, page: PageRequest) throws
    -> Page<Shop.Book>
}
struct StoredBooks: Books, Stored {
  let context: any ObjectContext & Sendable
}
