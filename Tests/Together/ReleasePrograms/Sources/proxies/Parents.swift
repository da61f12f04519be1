import Oxbow

// Protocols that refine others, with one implementation of the whole family.

@Proxied protocol Named { func name() throws -> String }
extension NamedProxy: NamedForwarding {}

@Proxied protocol Priced: Named { func price() throws -> Int }
extension PricedProxy: PricedForwarding {}

@Proxied protocol Sold: Named, Sendable { func buyers() throws -> [String] }
extension SoldProxy: SoldForwarding {}

@Proxied(also: Named.self) protocol Article: Priced, Sold { func pages() throws -> Int }
extension ArticleProxy: ArticleForwarding {}

final class Novel: Article {
  let title = "Kim"
  let readers = ["Ada", "Bob"]
  func name() throws -> String { title }
  func price() throws -> Int { 12 }
  func buyers() throws -> [String] { readers }
  func pages() throws -> Int { readers.count * 100 }
}

/// Has a default for what a parent requires, and declares it again.
@Proxied protocol Given: Priced { func price() throws -> Int }
extension Given { func price() throws -> Int { 0 } }
extension GivenProxy: GivenForwarding {}

final class Gift: Given, Sendable {
  let values = [30, 4]
  func name() throws -> String { "gift" }
  func price() throws -> Int { values.reduce(0, +) }
}

@Proxied protocol Shelf<Key> {
  associatedtype Key: Hashable & Sendable
  func book(at key: Key) throws -> String
}
extension ShelfProxy: ShelfForwarding {}

@Proxied protocol NumberedShelf: Shelf<Int> { func count() throws -> Int }
extension NumberedShelfProxy: NumberedShelfForwarding {}

final class Bookcase: NumberedShelf, Sendable {
  let books = ["Emma", "Kim"]
  func book(at key: Int) throws -> String { books[key] }
  func count() throws -> Int { books.count }
}

/// A forwarding protocol that a class adopts by hand, beside the one that the macro writes.
final class Announced: NamedForwarding, Sendable {
  let target: any Named & Sendable
  init(_ target: any Named & Sendable) { self.target = target }
  func _targetNamed() throws -> any Named {
    print("asked")
    return target
  }
}

func show(named: any Named) throws { print("parent", try named.name()) }
func show(priced: any Priced) throws { print("child", try priced.name(), try priced.price()) }
func show(sold: any Sold) throws { print("other child", try sold.name(), try sold.buyers()) }
func show(article: any Article) throws {
  print("all", try article.name(), try article.price(), try article.buyers(), try article.pages())
}
func show(shelf: any Shelf<Int>) throws { print("generic", try shelf.book(at: 1)) }
func show(numbered: any NumberedShelf) throws {
  print("bound", try numbered.book(at: 0), try numbered.count())
}
func show(forwarding: any NamedForwarding) throws {
  print("forwarding", try forwarding._targetNamed().name())
}

func proxiesOfParents() throws {
  let novel = Novel()
  try show(named: NamedProxy.fixed(novel))
  try show(priced: PricedProxy.fixed(novel))
  try show(sold: SoldProxy.lazy { Novel() })
  let article = ArticleProxy.fixed(novel)
  try show(named: article)
  try show(priced: article)
  try show(sold: article)
  try show(article: article)
  let gift = GivenProxy.fixed(Gift())
  try show(priced: gift)
  print("declared again", try gift.price())
  try show(shelf: ShelfProxy<Int>.fixed(Bookcase()))
  let numbered = NumberedShelfProxy.fixed(Bookcase())
  try show(shelf: numbered)
  try show(numbered: numbered)
  try show(named: Announced(novel))
  try show(forwarding: Announced(novel))
  try show(forwarding: article)
}
