import Oxbow
import Testing

// The code of docs/guide/container.md.

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

final class Basket {
  private(set) var articles: [String] = []
  func add(_ article: String) { articles.append(article) }
}

final class Account {
  var owner: Customer?
  var currency = "USD"
}

final class Customer {
  weak var account: Account?
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

final class Database: Disposable {
  func dispose() throws { print("closed") }
}

@Suite struct ContainerGuideTests {
  @Test func `objects and references`() throws {
    let builder = ContainerBuilder()
    let mailer = builder.singleton(
      named: "mailer", ConsoleMailer.init(sender:), Ref.value("shop@example.com"))
    let shop = builder.singleton(named: "shop", { Shop(mailer: $0) }, mailer)
    let container = try builder.build()
    try container.object(shop).order("lamp", for: "ada@example.com")
    #expect(try container.object("mailer", as: ConsoleMailer.self).sender == "shop@example.com")
  }

  @Test func `everything that is wrong, at once`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "mailer", ConsoleMailer.init(sender:), Ref.value("shop@example.com"))
    builder.singleton(named: "shop", { Shop(mailer: $0) }, Ref<ConsoleMailer>("mialer"))
    builder.singleton(named: "checkout", Checkout.init(shop:), Ref<Shop>("mailer").provider)
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    let shown = try #require(try Guide(name: "container").texts("text").first)
    #expect(
      error.map { "\($0)\n".replacing("OxbowTests/ContainerGuide", with: "Shop/Wiring") } == shown)
  }

  @Test func scopes() throws {
    let builder = ContainerBuilder()
    let basket = builder.prototype(named: "basket", in: .thread, Basket.init)
    let container = try builder.build()
    try container.withThreadScope {
      try container.withObject(basket) { $0.add("lamp") }
      let count = try container.withObject(basket) { $0.articles.count }
      #expect(count == 1)
    }
  }

  @Test func `properties and circles`() throws {
    let builder = ContainerBuilder()
    let account = builder.prototype(named: "account", in: .objectGraph, Account.init) {
      $0.set(\.owner, Ref<Customer>("customer"))
      $0.set(\.currency, to: "EUR")
    }
    builder.prototype(named: "customer", in: .objectGraph, Customer.init) {
      $0.set(\.account, account)
    }
    let container = try builder.build()
    let object = try container.object(account)
    #expect(object.owner?.account === object)
    #expect(object.currency == "EUR")
  }

  @Test func `objects that come later`() throws {
    let builder = ContainerBuilder()
    let mailer = builder.singleton(named: "mailer", ConsoleMailer.init(sender:), Ref.value("shop"))
    let shop = builder.singleton(named: "shop", { Shop(mailer: $0) }, mailer)
    let checkout = builder.singleton(named: "checkout", Checkout.init(shop:), shop.provider)
    let index = builder.singleton(named: "index", SearchIndex.init)
    let search = builder.proxy(named: "search", .lazy, of: index, as: SearchProxy.self)
    let container = try builder.build()
    let articles = try container.object(search)
    #expect(!articles.isTargetMaterialized)
    #expect(try articles.articles(like: "lan") == ["lantern"])
    #expect(try container.object(checkout).shop() === container.object(shop))
    container.close()
  }

  @Test func `classes that say it themselves`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "mailer", ConsoleMailer.init(sender:), Ref.value("shop@example.com"))
    let newsletter = builder.add(Newsletter.self)
    builder.placeholders.set("newsletter.subject", "Lamps of the week")
    #expect(try builder.build().object(newsletter).subject == "Lamps of the week")
  }

  @Test func files() throws {
    let document = try #require(try Guide(name: "container").texts("xml").first)
    let builder = ContainerBuilder()
    try builder.load(text: document, file: "shop.xml")
    builder.placeholders.set("season", "winter")
    builder.placeholders.set("mail.sender", "shop")
    let container = try builder.build()
    let newsletter: Newsletter = try container.object("newsletter")
    #expect(newsletter.subject == "Lamps of winter")
    #expect((newsletter.mailer as? ConsoleMailer)?.sender == "shop")
  }

  @Test func `seeing the whole`() throws {
    let builder = ContainerBuilder()
    let mailer = builder.singleton(named: "mailer", ConsoleMailer.init(sender:), Ref.value("shop"))
    let shop = builder.singleton(named: "shop", { Shop(mailer: $0) }, mailer)
    builder.singleton(named: "checkout", Checkout.init(shop:), shop.provider)
    let container = try builder.build()
    print(try container.explain("shop"))
    print(container.graph.mermaid)
    let explanation = try container.explain("shop").description
    let shown = try #require(try Guide(name: "container").texts("text").last)
    #expect(
      "\(explanation)\n".replacing("OxbowTests/ContainerGuide", with: "Shop/Wiring") == shown)
  }

  @Test func ending() throws {
    let builder = ContainerBuilder()
    let database = builder.singleton(named: "database", Database.init)
    let container = try builder.build()
    _ = try container.object(database)
    try container.shutDown()
    #expect(throws: ContainerError.self) { try container.object(database) }
  }
}

@Configuration("http") struct HTTPSettings {
  var host = "127.0.0.1"
  var port: Int
  @Secret var password: String?
}

final class LampServer: Sendable {
  let settings: HTTPSettings
  init(settings: HTTPSettings) { self.settings = settings }
}

extension ContainerGuideTests {
  @Test func `settings as a struct`() throws {
    let builder = ContainerBuilder()
    builder.placeholders.environment = ["HTTP_PORT": "8080"]
    let settings = builder.configuration(HTTPSettings.self)
    builder.singleton(named: "server", LampServer.init(settings:), settings)
    let container = try builder.build()
    let server: LampServer = try container.object("server")
    #expect((server.settings.host, server.settings.port) == ("127.0.0.1", 8080))
    #expect(server.settings.password == nil)
    builder.placeholders.environment = ["HTTP_PROT": "8080"]
    let problems = builder.check().problems
    #expect(problems.map(\.nearNames) == [["HTTP_PROT"]])
  }
}
