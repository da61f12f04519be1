import Foundation
import Oxbow
import Testing

// Typhoon's document on assemblies in XML, example by example in its order, as a program says it
// with Oxbow.

protocol Errand: AnyObject { var aim: String { get } }

@Component class SwampErrand: Errand {
  var aim: String { "swamp" }
  private(set) var steps: [String] = []
  required init() {}
  func prepare() { steps.append("prepare") }
  func conclude() { steps.append("conclude") }
}

/// It says the callbacks itself.
@Component final class WatchedErrand: Errand, InjectionObserver {
  var aim = ""
  private(set) var steps: [String] = []
  init() {}
  func beforePropertiesSet() { steps.append("before, \(aim)") }
  func afterPropertiesSet() { steps.append("after, \(aim)") }
}

@Component class Ranger {
  var errand: (any Errand)?
  var rescued = 0
  var portrait: URL?
  var menu: [Any] = []
  var tags: Set<String> = []
  init() {}
}

@Component final class Cavalry: Ranger {
  let isTravelling: Bool
  init(errand: any Errand, hasHorseWillTravel isTravelling: Bool, imageUrl: URL) {
    self.isTravelling = isTravelling
    super.init()
    self.errand = errand
    portrait = imageUrl
  }
}

/// An address that files make by the name of Foundation's class.
@Component final class NSURL: Sendable {
  let url: URL
  private init(_ url: URL) { self.url = url }
  static func URL(string: String) throws -> NSURL {
    guard let url = Foundation.URL(string: string) else { throw URLError(.badURL) }
    return NSURL(url)
  }
}

@Component final class Forge {
  init() {}
  @FactoryMethod func blade(specification: String) -> ForgedBlade { ForgedBlade(specification) }
}

@Component final class ForgedBlade {
  let specification: String
  init(_ specification: String) { self.specification = specification }
}

@Component final class RangersView {
  var controller: RangersController?
  init() {}
}

@Component final class RangersController {
  var view: RangersView?
  init() {}
}

@Component final class LoneRanger: Sendable {
  init() {}
}

@Suite("The document of Typhoon") struct TyphoonDocument {
  private func container(_ components: String) throws -> Container {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <assembly xmlns="http://www.typhoonframework.org/schema/assembly"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.typhoonframework.org/schema/assembly
            http://www.typhoonframework.org/schema/assembly.xsd">
        \(components)
        </assembly>
        """)
    #expect(builder.check().notes.isEmpty)
    return try builder.build()
  }

  private static let errand = #"<component class="SwampErrand" key="errand"/>"#

  @Test func `Code completion: the declaration of the schema is read without a note`() throws {
    #expect(try container(Self.errand).names == ["errand"])
  }

  @Test func `Properties injected by reference`() throws {
    let rider = try container(
      Self.errand + """
        <component class="Ranger" key="rider"><property name="errand" ref="errand"/></component>
        """
    ).object("rider", as: Ranger.self)
    #expect(rider.errand?.aim == "swamp")
  }

  @Test func `Properties injected by value`() throws {
    let rider = try container(
      """
      <component class="Ranger" key="rider">
        <property name="rescued" value="12"/>
        <property name="portrait" value="http://riders.example/one.jpg"/>
      </component>
      """
    ).object("rider", as: Ranger.self)
    #expect(rider.rescued == 12)
    #expect(rider.portrait?.host() == "riders.example")
  }

  @Test func `Collections: references and values of several types`() throws {
    let rider = try container(
      """
      <component class="SwampErrand" key="menuTrips" scope="singleton" lazy-init="true"/>
      """.replacing(" scope=\"singleton\" lazy-init=\"true\"", with: "") + """
        <component class="WatchedErrand" key="menuContact"/>
        <component class="Ranger" key="rider">
          <property name="menu">
            <collection>
              <!-- components and values -->
              <ref>menuTrips</ref>
              <ref>menuContact</ref>
              <value requiredType="NSString">otto</value>
              <value requiredType="NSNumber">12</value>
            </collection>
          </property>
          <property name="tags">
            <collection><value requiredType="NSString">a</value></collection>
          </property>
        </component>
        """
    ).object("rider", as: Ranger.self)
    #expect(rider.menu[0] is SwampErrand)
    #expect(rider.menu[1] is WatchedErrand)
    #expect(rider.menu[2] as? String == "otto")
    #expect(rider.menu[3] as? Int == 12)
    #expect(rider.tags == ["a"])
  }

  @Test func `Property injection callbacks: methods that the file names`() throws {
    let errand = try container(
      """
      <component class="SwampErrand" key="errand" before-property-injection="prepare"
        after-property-injection="conclude"/>
      """
    ).object("errand", as: SwampErrand.self)
    #expect(errand.steps == ["prepare", "conclude"])
  }

  @Test func `Property injection callbacks: a class that conforms to the protocol`() throws {
    let errand = try container(
      """
      <component class="WatchedErrand" key="errand"><property name="aim" value="x"/></component>
      """
    ).object("errand", as: WatchedErrand.self)
    #expect(errand.steps == ["before, ", "after, x"])
  }

  @Test func `Circular dependencies: a view and its controller`() throws {
    let controller = try container(
      """
      <component class="RangersController" key="controller">
        <property name="view" ref="view"/>
      </component>
      <component class="RangersView" key="view">
        <property name="controller" ref="controller"/>
      </component>
      """
    ).object("controller", as: RangersController.self)
    #expect(controller.view?.controller === controller)
    controller.view?.controller = nil
  }

  @Test func `Initializer injection: a reference, a Boolean written as a number, and an address`()
    throws
  {
    let rider = try container(
      Self.errand + """
        <component class="Cavalry" key="rider">
          <initializer selector="initWithErrand:hasHorseWillTravel:imageUrl:">
            <argument parameterName="errand" ref="errand"/>
            <argument parameterName="hasHorseWillTravel" value="12"/>
            <argument parameterName="imageUrl" value="http://riders.example" required-class="NSURL"/>
          </initializer>
        </component>
        """
    ).object("rider", as: Cavalry.self)
    #expect(rider.errand?.aim == "swamp")
    #expect(rider.isTravelling)
    #expect(rider.portrait?.host() == "riders.example")
  }

  @Test func `Class methods vs init methods: a class method makes an address`() throws {
    let address = try container(
      """
      <component class="NSURL" key="address">
        <initializer selector="URLWithString:" is-class-method="yes">
          <argument parameterName="string" value="http://riders.example/" required-class="NSString"/>
        </initializer>
      </component>
      """
    ).object("address", as: NSURL.self)
    #expect(address.url.host() == "riders.example")
  }

  @Test func `Factory component injection: a method of a component makes another one`() throws {
    let blade = try container(
      """
      <component class="Forge" key="forge"/>
      <component class="ForgedBlade" key="blade" factory-component="forge">
        <initializer selector="bladeWithSpecification:">
          <argument parameterName="specification" value="blue" required-class="NSString"/>
        </initializer>
      </component>
      """
    ).object("blade", as: ForgedBlade.self)
    #expect(blade.specification == "blue")
  }

  @Test
  func `Scopes: for one graph by default, prototype, singleton, and singleton while it is held`()
    throws
  {
    let container = try container(
      """
      <component class="SwampErrand" key="shared"/>
      <component class="SwampErrand" key="anew" scope="prototype"/>
      <component class="LoneRanger" key="one" scope="singleton"/>
      <component class="LoneRanger" key="weak" scope="weakSingleton"/>
      <component class="Ranger" key="graph">
        <property name="menu"><collection>
          <ref>shared</ref><ref>shared</ref><ref>anew</ref><ref>anew</ref>
        </collection></property>
      </component>
      """)
    let menu = try container.object("graph", as: Ranger.self).menu.compactMap { $0 as? SwampErrand }
    let (isShared, isAnew) = (menu[0] === menu[1], menu[2] !== menu[3])
    #expect(menu.count == 4)
    #expect(isShared && isAnew)
    let other = try container.object("shared", as: SwampErrand.self)
    #expect(other !== menu[0])
    let one = try container.object("one", as: LoneRanger.self)
    #expect(try container.object("one", as: LoneRanger.self) === one)
    var weak: LoneRanger? = try container.object("weak", as: LoneRanger.self)
    #expect(try container.object("weak", as: LoneRanger.self) === weak)
    weak = nil
    #expect(try container.object("weak", as: LoneRanger.self) !== one)
  }
}
