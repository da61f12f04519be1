import Oxbow

// What docs/guide/container.md and docs/guide/testing-with-containers.md do, in one program.

func containerGuide() throws {
  let builder = ContainerBuilder()
  let mailer = builder.singleton(
    named: "mailer", ConsoleMailer.init(sender:), Ref.value("shop@example.com"))
  let shop = builder.singleton(named: "shop", { Shop(mailer: $0) }, mailer)
  let checkout = builder.singleton(named: "checkout", Checkout.init(shop:), shop.provider)
  let index = builder.singleton(named: "index", SearchIndex.init)
  let search = builder.proxy(named: "search", .lazy, of: index, as: SearchProxy.self)
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
  builder.singleton(named: "courier", Bicycle.init)
  builder.singleton(named: "dispatch", Dispatch.init(courier:), Ref<any Courier>("courier"))
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
