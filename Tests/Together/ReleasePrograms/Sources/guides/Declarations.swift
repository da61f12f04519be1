import Oxbow

// Declarations of docs/guide/container.md and docs/guide/testing-with-containers.md. A test
// compares them with those that the tests of the guides run.

protocol Mailer: Sendable {
  func send(_ text: String, to address: String) throws
}

@Component final class ConsoleMailer: Mailer {
  let sender: String
  init(sender: String) { self.sender = sender }
  func send(_ text: String, to address: String) { print("\(sender) to \(address): \(text)") }
}

final class Shop: Sendable {
  let mailer: any Mailer
  init(mailer: any Mailer) { self.mailer = mailer }

  func order(_ article: String, for customer: String) throws {
    try mailer.send("Your \(article) is on its way.", to: customer)
  }
}

final class Checkout: Sendable {
  let shop: Provider<Shop>
  init(shop: Provider<Shop>) { self.shop = shop }
}

@Proxied protocol Search {
  func articles(like text: String) throws -> [String]
}

extension SearchProxy: SearchForwarding {}

final class SearchIndex: Search, Sendable {
  func articles(like text: String) -> [String] { ["lamp", "lantern"].filter { $0.contains(text) } }
}

@Component("newsletter", .singleton) final class Newsletter: Sendable {
  @Inject("mailer") let mailer: any Mailer
  @Inject(value: "${newsletter.subject:News}") let subject: String
}

@Proxied protocol Courier: Sendable {
  func deliver(_ parcel: String, to address: String) throws -> Int
}

extension CourierProxy: CourierForwarding {}

@Component final class Bicycle: Courier {
  func deliver(_ parcel: String, to address: String) -> Int { 45 }
}

final class Dispatch: Sendable {
  let courier: any Courier
  init(courier: any Courier) { self.courier = courier }

  /// Returns after how many minutes everything is there.
  func send(_ parcels: [String], to address: String) throws -> Int {
    try parcels.map { try courier.deliver($0, to: address) }.reduce(0, +)
  }
}
