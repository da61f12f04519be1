import Oxbow
import Testing

// The code of docs/guide/coming-from-spring.md.

protocol Ledger: Sendable {
  func book(_ amount: Int) throws
}

@Component("ledger", .singleton) final class BankLedger: Ledger, Disposable {
  @Inject(value: "${ledger.currency:EUR}") let currency: String
  @Inject init(currency: String) { self.currency = currency }

  func book(_ amount: Int) {}
  func dispose() throws { print("closed") }
}

@Component("invoices", .singleton) final class Invoices: Sendable {
  let ledger: any Ledger
  let drafts: Provider<Draft>

  @Inject init(ledger: any Ledger, draft drafts: Provider<Draft>) {
    self.ledger = ledger
    self.drafts = drafts
  }
}

@Component("draft") final class Draft: InjectionObserver {
  @Autowired var ledger: (any Ledger)?
  @Inject(value: "30") var days = 0
  private(set) var isReady = false

  func afterPropertiesSet() throws { isReady = true }
}

@Component final class Press {
  var colours: [String] = []
  @FactoryMethod func poster(title: String) -> Poster { Poster(title: title, colours: colours) }
}

@Component final class Poster {
  let title: String
  let colours: [String]
  init(title: String, colours: [String]) { (self.title, self.colours) = (title, colours) }
}

final class CountingLedger: Ledger {
  let ledger: any Ledger
  init(ledger: any Ledger) { self.ledger = ledger }
  func book(_ amount: Int) throws { try ledger.book(amount) }
}

extension ContainerBuilder {
  /// What a configuration class with `@Bean` methods is in Spring.
  func addBilling() {
    let bank = singleton(named: "bank", BankLedger.init(currency:), Ref.value("EUR"))
    singleton(named: "counting", { CountingLedger(ledger: $0) }, bank)
  }
}

@Suite struct SpringGuideTests {
  @Test func `annotated classes`() throws {
    let builder = ContainerBuilder()
    builder.placeholders.environment = [:]
    builder.add(BankLedger.self)
    builder.add(Draft.self)
    let invoices = builder.add(Invoices.self)
    let container = try builder.build()
    let draft = try container.object(invoices).drafts()
    #expect(draft.isReady && draft.days == 30 && draft.ledger != nil)
    try container.shutDown()
  }

  @Test func `configuration in Swift`() throws {
    let builder = ContainerBuilder()
    builder.addBilling()
    #expect(try builder.build().object("counting", as: CountingLedger.self).ledger is BankLedger)
  }

  @Test func `the property list of the guide`() throws {
    let document = try #require(try Guide(name: "coming-from-spring").texts("xml").first)
    let builder = ContainerBuilder()
    try builder.load(text: document, file: "billing.plist")
    builder.placeholders.environment = [:]
    let container = try builder.build()
    let poster: Poster = try container.object("poster")
    #expect(poster.title == "Lamps")
    #expect(poster.colours == ["red", "black"])
    let ledger: BankLedger = try container.object("ledger")
    #expect(ledger.currency == "USD")
  }
}
