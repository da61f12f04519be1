import Oxbow

// `@Component` wired by a file: properties and arguments that are protocols with one
// implementation, a lazy one behind a proxy, factory methods and callbacks.

@Proxied protocol Quest: Sendable { func embark() throws -> [String] }
extension QuestProxy: QuestForwarding {}

@Component final class Grail: Quest {
  let steps: [String]
  init(steps: [String]) { self.steps = steps }
  func embark() throws -> [String] { steps }
}

protocol Horse: AnyObject { func ride() -> String }

@Component final class Stallion: Horse {
  var gaits: [String] = ["walk"]
  func ride() -> String { gaits.joined(separator: ", ") }
}

@Component final class Knight {
  let quest: any Quest
  var horse: (any Horse)?
  var age = 20
  private(set) var log: [String] = []
  init(quest: any Quest, title: String = "Sir", name: String = "nobody") {
    self.quest = quest
    log = ["\(title) \(name)"]
  }
  func mount() { log.append(horse?.ride() ?? "on foot") }
  func tell() throws -> String { "\(log) \(age) \(try quest.embark())" }
  @FactoryMethod func squire(of name: String) throws -> Squire { Squire(master: name, age: age) }
}

@Component class Squire {
  let master: String
  let age: Int
  init(master: String, age: Int) { (self.master, self.age) = (master, age) }
}

@Component("banner", .singleton, .lazy) final class Banner: Colours, Sendable {
  @Inject("grail") let quest: any Quest
  @Inject init(quest: any Quest) { self.quest = quest }
  func show() throws -> String { "banner of \(try quest.embark().count)" }
}

@Proxied protocol Colours { func show() throws -> String }
extension ColoursProxy: ColoursForwarding {}

class Machine {
  let power: Int
  init(power: Int) { self.power = power }
  init(weight: Int) { power = weight * 2 }
}

@Component final class Crane: Machine {
  var height = 3
  static func tall() -> Crane { Crane(weight: 20) }
}

protocol Signal: Sendable { var sound: String { get } }

@Component("flag", .singleton) final class Flag: Signal { let sound = "none" }

@Component("horn", .singleton, .primary) final class Horn: Signal { let sound = "toot" }

@Component final class Herald { @Autowired var signal: (any Signal)? }

let document = """
  <container>
    <object id="grail" class="Grail">
      <property name="steps"><list><value>seek</value><value>find</value></list></property>
    </object>
    <object id="later" class="Grail" lazy="true">
      <property name="steps"><list><value>late</value></list></property>
    </object>
    <object id="horse" class="Stallion" singleton="false"/>
    <object id="crane" class="Crane" singleton="false"><initializer method="tall"/></object>
    <object id="herald" class="Herald" singleton="false"/>
    <object id="knight" class="Knight" singleton="false">
      <property name="quest" ref="grail"/>
      <property name="name" value="Kay"/>
      <property name="horse" ref="horse"/>
      <property name="age" value="33"/>
    </object>
    <object id="dreamer" class="Knight" singleton="false">
      <property name="quest" ref="later"/>
      <property name="title" value="Dame"/>
    </object>
  </container>
  """

func show(_ quest: any Quest) throws { print("quest", try quest.embark()) }
func show(_ horse: any Horse) { print("horse", horse.ride()) }
func show(_ colours: any Colours) throws { print(try colours.show()) }

let builder = ContainerBuilder()
try builder.load(text: document, file: "knights.xml")
builder.addAnnotatedComponents()
let container = try builder.build()
try show(container.object("grail", as: Grail.self))
let knight: Knight = try container.object("knight")
knight.mount()
print(try knight.tell())
print(try (container.object("dreamer") as Knight).tell())
if let horse = knight.horse { show(horse) }
try show(container.object("banner", as: (any Colours & Sendable).self))
let crane: Crane = try container.object("crane")
print("crane", crane.power, crane.height)
print("signal", try (container.object("herald") as Herald).signal?.sound ?? "")
try container.shutDown()
