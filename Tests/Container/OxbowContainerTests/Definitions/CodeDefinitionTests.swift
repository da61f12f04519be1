import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct CodeDefinitionTests {
  @Test func `OX-03 a singleton is one object, a prototype a new one each time`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    let knight = builder.prototype(named: "knight", Knight.init)
    let container = try builder.build()
    #expect(try container.object(grail) === container.object(grail))
    #expect(try container.object("grail", as: Grail.self) === container.object(grail))
    let first = try container.object(knight)
    let second = try container.object(knight)
    #expect(first !== second)
  }

  @Test func `OX-01 nothing is constructed before somebody asks`() throws {
    let tally = Tally()
    let builder = ContainerBuilder()
    builder.singleton(named: "greeter", SharedGreeter.init(tally:), Ref.value(tally))
    let container = try builder.build()
    #expect(tally.count == 0)
    _ = try container.object("greeter", as: SharedGreeter.self)
    _ = try container.object("greeter", as: SharedGreeter.self)
    #expect(tally.count == 1)
  }

  @Test func `initializers take objects, constants, and objects for their protocols`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    let castle = builder.singleton(
      named: "castle", Castle.init(name:quest:), Ref.value("Camelot"), grail)
    let container = try builder.build()
    let found = try container.object(castle)
    #expect(found.name == "Camelot")
    #expect(try found.quest === container.object(grail))
  }

  @Test func `OX-08 properties are set in order after construction`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    let king = builder.prototype(named: "king", King.init) {
      $0.set(grail, named: "quest") { $0.quest = $1 }
      $0.set(\.castle, Ref("castle"))
      $0.set(\.age, to: 30)
      $0.set(\.motto, to: "onward")
      $0.set(\.age, to: 31)
    }
    builder.singleton(named: "castle", Castle.init(name:quest:), Ref.value("Camelot"), grail)
    let container = try builder.build()
    let found = try container.object(king)
    #expect(try found.quest === container.object(grail))
    #expect(found.castle?.name == "Camelot")
    #expect(found.age == 31)
    #expect(found.motto == "onward")
  }

  @Test func `an object can be asked for as its protocol or superclass`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", Grail.init)
    builder.prototype(named: "king", King.init)
    let container = try builder.build()
    #expect(try container.object("grail", as: (any Quest & Sendable).self).goal == "grail")
    let quest = try container.object("grail", as: (any Quest).self)
    #expect(quest.goal == "grail")
    let knight = try container.object("king", as: Knight.self)
    #expect(knight is King)
  }

  @Test func `the container says what it holds`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    builder.prototype(named: "castle", Castle.init(name:quest:), Ref.value("Camelot"), grail)
    let container = try builder.build()
    #expect(container.names == ["grail", "castle"])
    #expect(container.contains("castle"))
    #expect(!container.contains("moat"))
    let castle = try #require(container.graph["castle"])
    #expect(castle.references == ["grail"])
    #expect(castle.scope == "prototype")
    #expect(castle.typeName == "Castle")
    #expect(castle.isSendable == true)
    #expect(castle.location?.file.hasSuffix("CodeDefinitionTests.swift") == true)
  }

  @Test func `singletons may refer to each other through properties`() throws {
    let builder = ContainerBuilder()
    let a = builder.singleton(named: "a") {
      Node("a")
    } configure: {
      $0.set(Ref<Node>("b")) { $0.neighbours.append($1) }
    }
    let b = builder.singleton(named: "b") {
      Node("b")
    } configure: {
      $0.set(a) { $0.neighbours.append($1) }
    }
    let container = try builder.build()
    #expect(try container.object(b).neighbours[0] === container.object(a))
    #expect(try container.object(a).neighbours[0] === container.object(b))
  }

  @Test func `a prototype in a circle with a singleton gets the one singleton`() throws {
    final class Page {
      let book: Node
      init(book: Node) { self.book = book }
    }
    final class Holder: @unchecked Sendable {  // written while it is built, read after
      var page: Page?
    }
    let builder = ContainerBuilder()
    let page = builder.prototype(named: "page", { Page(book: $0) }, Ref<Node>("book"))
    builder.singleton(named: "book") {
      Node("book")
    } configure: {
      $0.set(page) { book, page in book.isComplete = page.book === book }
    }
    let container = try builder.build()
    let first = try container.object(page)
    let second = try container.object(page)
    #expect(first !== second)
    #expect(first.book === second.book)
    #expect(first.book.isComplete)
  }

  @Test func `a builder makes containers that share nothing`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    let one = try builder.build()
    let two = try builder.build()
    #expect(try one.object(grail) !== two.object(grail))
    let late = builder.singleton(named: "late", Herald.init)
    let error = #expect(throws: ContainerError.self) { try one.object(late) }
    #expect(error?.code == .unknownObject)
  }

  @Test func `a thousand singletons in a row are built without a deep stack`() throws {
    let builder = ContainerBuilder()
    var last = builder.singleton(named: "0") { Node("0") }
    for number in 1...5_000 {
      last = builder.singleton(
        named: "\(number)", { Node("\(number) on \($0.name.prefix(4))") }, last)
    }
    let container = try builder.build()
    #expect(try container.object(last).name == "5000 on 4999")
  }
}
