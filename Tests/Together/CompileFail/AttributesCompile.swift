// expect-ok
import Oxbow

public final class Speller: Sendable {
  public init() {}
}

public struct Clamp<Value: Comparable & Sendable>: PropertyAttribute, Sendable {
  let range: ClosedRange<Value>
  public func set(_ access: inout AttributeAccess<Value>) {}
}

public class Editor: @unchecked Sendable {
  @Lazy public var speller: Speller
  @Lazy({ (editor: Editor) in editor.speller }) open var second: Speller
  @Lazy public var `class`: Speller?
  @Final public private(set) var id: Int?
  @Attributed(Clamp(range: 0...11)) public var volume: Int = 5
  @Preference public var theme: String = "light"
  @Injected(didInject: Editor.hear) public var engine: Speller
  @Injected fileprivate var other: (any CustomStringConvertible & Sendable)?
  func hear(_ speller: Speller) {}
}

actor Clerk {
  @Lazy var speller: Speller
  @Final var id: Int?
  @Attributed(Clamp(range: 0...11)) var volume: Int = 5
  @Preference var theme: String = "light"
  @Injected var engine: Speller
}

@MainActor class View {
  @Lazy var speller: Speller
  @Lazy({ (view: View) in view.title + "!" }) var shout: String
  @Final var id: Int?
  @Attributed(Clamp(range: 0...11)) var volume: Int = 5
  @Preference var theme: String = "light"
  @Injected(didInject: View.hear) var engine: Speller
  var title = ""
  func hear(_ speller: Speller) {}
}

class Box<Element> {
  @Lazy({ (box: Box<Element>) in [box.element] }) var all: [Element]
  @Final var id: Element?
  @Injected var engine: Speller
  let element: Element
  init(_ element: Element) { self.element = element }
}

struct Value {
  @Lazy var speller: Speller
  @Lazy({ (value: Value) in value.seed + 1 }) var next: Int
  var seed = 2
  @Final var id: Int?
  @Final var name: String
  @Attributed(Clamp(range: 0...11)) var volume: Int = 5
  @Preference var theme: String = "light"
  @Preference static var count: Int = 1
}

enum Program {
  @Preference static var isNew: Bool = true
}
