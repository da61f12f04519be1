import OxbowContainer
import OxbowPlatform
import Testing

/// A container that ends while one of its objects is made, which holds nothing of it but the call.
@Suite struct ClosingTests {
  @Test func `an object that closes its container while it is made is made, and no other`() throws {
    let shelf = Ledge()
    let builder = ContainerBuilder()
    let closer = builder.prototype(named: "closer") { shelf.closed(Stone()) }
    let part = builder.prototype(named: "part") { Stone() }
    let first = builder.prototype(
      named: "first", { (_: Stone, part: Stone) in Cairn(part) }, part, closer)
    let second = builder.prototype(
      named: "second", { (_: Stone, part: Stone) in Cairn(part) }, closer, part)
    let set = builder.prototype(named: "set", { Cairn(Stone()) }) {
      $0.set(closer, named: "part") { $0.part = $1 }
      $0.set(\.number, to: 2)
    }
    for (ref, isMade) in [(first, true), (second, false), (set, true)] {
      let container = try builder.build()
      shelf.put(container)
      if isMade {
        #expect(try container.object(ref).part.isWhole)
      } else {
        let error = #expect(throws: ContainerError.self) { try container.object(ref) }
        #expect(error?.problems.first?.code == .containerReleased)
      }
      #expect(throws: ContainerError.self) { try container.object(part) }
    }
  }

  @Test func `the last hold on a container may go while an object is made`() throws {
    let shelf = Ledge()
    let builder = ContainerBuilder()
    let dropper = builder.prototype(named: "dropper") { shelf.emptied(Stone()) }
    let part = builder.prototype(named: "part") { Stone() }
    builder.prototype(named: "whole", { (_: Stone, part: Stone) in Cairn(part) }, dropper, part) {
      $0.set(part, named: "part") { $0.part = $1 }
    }
    let provider = builder.prototype(named: "holder", Keeper.init(_:), Ref<Cairn>("whole").provider)
    for _ in 0..<10 {
      shelf.put(try builder.build())
      #expect(try shelf.whole().part.isWhole)
      shelf.put(try builder.build())
      let holder = try shelf.object(provider)
      #expect(try holder.provider().part.isWhole)
    }
  }
}

private final class Stone {
  let isWhole: Bool
  init() { isWhole = true }
}

private final class Cairn {
  var part: Stone
  var number = 1
  init(_ part: Stone) { self.part = part }
}

private final class Keeper {
  let provider: Provider<Cairn>
  init(_ provider: Provider<Cairn>) { self.provider = provider }
}

/// Where a container is; constructors take it away.
private final class Ledge: Sendable {
  private let container = Lock<Container?>(nil)

  func put(_ new: Container) { container.withLock { $0 = new } }

  func closed(_ part: sending Stone) -> Stone {
    container.withLock(\.self)?.close()
    return part
  }

  func emptied(_ part: sending Stone) -> Stone {
    container.withLock { $0 = nil }
    return part
  }

  func whole() throws -> Cairn {
    try container.withLock(\.self)?.object("whole", as: Cairn.self) ?? Cairn(Stone())
  }

  func object<T>(_ ref: Ref<T>) throws -> T {
    guard let container = container.withLock(\.self) else { throw Missing() }
    return try container.object(ref)
  }

  private struct Missing: Error {}
}
