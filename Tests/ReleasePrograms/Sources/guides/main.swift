import Oxbow

// What docs/guide/container.md and docs/guide/testing-with-containers.md write, in one program.

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
  let all = ["lamp", "lantern"]
  func articles(like text: String) -> [String] { all.filter { $0.contains(text) } }
}

@Component("newsletter", .singleton) final class Newsletter: Sendable {
  @Inject("mailer") let mailer: any Mailer
  @Inject(value: "${newsletter.subject:News}") let subject: String

  @Inject init(mailer: any Mailer, subject: String) {
    self.mailer = mailer
    self.subject = subject
  }
}

@Proxied protocol Courier: Sendable {
  func deliver(_ parcel: String, to address: String) throws -> Int
}

extension CourierProxy: CourierForwarding {}

@Component final class Bicycle: Courier {
  let minutes = [45]
  func deliver(_ parcel: String, to address: String) -> Int { minutes[0] }
}

final class Dispatch: Sendable {
  let courier: any Courier
  init(courier: any Courier) { self.courier = courier }

  /// Returns after how many minutes everything is there.
  func send(_ parcels: [String], to address: String) throws -> Int {
    try parcels.map { try courier.deliver($0, to: address) }.reduce(0, +)
  }
}

func containerGuide() throws {
  let builder = ContainerBuilder()
  let mailer = builder.singleton(
    "mailer", ConsoleMailer.init(sender:), Ref.value("shop@example.com"))
  let shop = builder.singleton("shop", { Shop(mailer: $0) }, mailer)
  let checkout = builder.singleton("checkout", Checkout.init(shop:), shop.provider)
  let index = builder.singleton("index", SearchIndex.init)
  let search = builder.lazyProxy("search", of: index, as: SearchProxy.self)
  let newsletter = builder.add(Newsletter.self)
  builder.placeholders.set("newsletter.subject", "Lamps of the week")
  let container = try builder.build()
  try container.object(shop).order("lamp", for: "ada@example.com")
  try container.object(checkout).shop().order("lantern", for: "bob@example.com")
  let found: any Search = try container.object(search)
  print(try found.articles(like: "lan"))
  print(try container.object(newsletter).subject)
  try container.object(newsletter).mailer.send("Bye.", to: "ada@example.com")
  try container.shutDown()
}

func testingGuide() throws {
  let builder = ContainerBuilder()
  builder.singleton("courier", Bicycle.init)
  builder.singleton("dispatch", Dispatch.init(courier:), Ref<any Courier>("courier"))
  let app = try builder.build()
  let recorder = CallRecorder()
  let patched = try app.patched {
    $0.replace("courier") { CourierProxy.recording(into: recorder) { Bicycle() } }
  }
  for container in [app, patched] {
    let dispatch: Dispatch = try container.object("dispatch")
    print(try dispatch.send(["lamp", "book"], to: "Ada"))
  }
  print(recorder.calls.map(\.description))
}

try containerGuide()
try testingGuide()
