import Oxbow
import Testing

@Component final class Pool: Sendable {
  let url: String
  let size: Int
  let timeout: Int
  init(url: String, size: Int = 4, timeout: Int = 30) {
    (self.url, self.size, self.timeout) = (url, size, timeout)
  }
}

@Component("tuned") final class TunedPool: Sendable {
  @Inject(value: "9") let size: Int
  let timeout: Int
  @Inject init(size: Int = 4, timeout: Int = 30) { (self.size, self.timeout) = (size, timeout) }
}

@Component final class Unlabelled: Sendable {
  let numbers: [Int]
  init(_ first: Int = 1, _ second: Int = 2, last: Int) { numbers = [first, second, last] }
}

@Component final class Wide: Sendable {
  let numbers: [Int]
  init(a: Int = 1, b: Int = 2, c: Int = 3, d: Int = 4, e: Int = 5) { numbers = [a, b, c, d, e] }
}

class Plain {
  init(number: Int) {}
}

/// Inherits an initializer that nothing describes.
@Component final class Heir: Plain {
  var classes: (any Any.Type)?
  var callbacks:
    [(Int) ->
      Void] = []

  static func made(_ number: Int = 3) -> Heir { Heir(number: number) }
}

@Suite struct DefaultArgumentTests {
  private func container(_ file: String) throws -> Container {
    let builder = ContainerBuilder()
    try builder.load(text: "<container>\(file)</container>", file: "pools.xml")
    return try builder.build()
  }

  @Test func `D5 each choice of arguments with defaults can be given`() throws {
    let text = """
      <object id="size" class="Pool">
        <property name="url" value="u"/><property name="size" value="8"/>
      </object>
      <object id="timeout" class="Pool">
        <property name="url" value="u"/><property name="timeout" value="9"/>
      </object>
      <object id="named" class="Pool">
        <initializer method="init(url:size:)">
          <argument name="url" value="u"/><argument name="size" value="7"/>
        </initializer>
      </object>
      """
    let container = try container(text)
    let pools: [Pool] = try ["size", "timeout", "named"].map { try container.object($0) }
    #expect(pools.map(\.size) == [8, 4, 7])
    #expect(pools.map(\.timeout) == [30, 9, 30])
  }

  @Test func `D5 an annotation may give one of two arguments with defaults`() throws {
    let builder = ContainerBuilder()
    let ref = builder.add(TunedPool.self)
    let pool = try builder.build().object(ref)
    #expect([pool.size, pool.timeout] == [9, 30])
  }

  @Test func `D5 no argument goes to the parameter before its own`() throws {
    let labels = Unlabelled.componentDescriptor.initializerLabels
    #expect(labels == [["first", "second", "last"], ["first", "last"], ["last"]])
  }

  @Test func `D5 beyond four defaults the message says that the argument needs others`() throws {
    #expect(Wide.componentDescriptor.initializerLabels.count == 7)
    let text = """
      <object id="wide" class="Wide"><property name="a" value="7"/><property name="b" value="8"/></object>
      """
    let error = #expect(throws: ContainerError.self) { try container(text) }
    let problem = try #require(error?.problems.first)
    #expect(
      problem.description.contains(
        "no initializer of class \"Wide\" takes \"b\" with what else is given"))
    let one: Wide = try container(
      "<object id=\"wide\" class=\"Wide\"><property name=\"e\" value=\"7\"/></object>"
    ).object("wide")
    #expect(one.numbers == [1, 2, 3, 4, 7])
  }

  @Test func `D14 a class that inherits no plain initializer is described without one`() throws {
    #expect(Heir.componentDescriptor.initializerLabels == [["number"], []])
    #expect(Heir.componentDescriptor.propertyNames == ["classes", "callbacks"])
  }
}
