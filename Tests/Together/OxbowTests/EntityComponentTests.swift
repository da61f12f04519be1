import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// OX-27: objects of entities from files, described by their entities.

@Suite struct EntityComponentTests {
  private static let objects = """
    <object id="cracow" class="Town" singleton="false">
      <property name="context" ref="context"/>
      <property name="name" value="Cracow"/>
    </object>
    <object id="lem" class="Penman" singleton="false">
      <property name="context" ref="context"/>
      <property name="name" value="Lem"/>
      <property name="city" ref="cracow"/>
    </object>
    <object id="first" class="Stamp" singleton="false">
      <property name="context" ref="context"/>
      <property name="label" value="first"/>
    </object>
    """

  private func builder(_ more: String) throws -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.registerEntities(tomeTypes)
    try builder.load(
      text: "<container>\(Self.objects)\(more)</container>", file: "objects.xml")
    return builder
  }

  @Test func `OX-27 a file makes objects of entities, with attributes and relationships`() throws {
    let container = try builder(
      """
      <object id="solaris" class="Tome" singleton="false">
        <property name="context" ref="context"/>
        <property name="title" value="Solaris"/>
        <property name="pages" value="204"/>
        <property name="published" value="1961-06-01T00:00:00Z"/>
        <property name="checkedIn" value="true"/>
        <property name="shelf" value="science"/>
        <property name="writer" ref="lem"/>
        <property name="marks"><list><ref>first</ref></list></property>
      </object>
      """
    ).build()
    let context = try container.object("context", as: ObjectContextProxy.self)
    try onThread {
      try container.withObject("solaris", as: Tome.self) { tome in
        #expect(tome.title == "Solaris")
        #expect((tome.pages, tome.checkedIn, tome.shelf) == (204, true, .science))
        #expect(tome.published == Date(timeIntervalSince1970: -270_950_400))
        #expect(tome.writer?.city?.name == "Cracow")
        #expect(tome.marks.map(\.label) == ["first"])
      }
      try context.save()
      #expect(try context.fetch(Penman.self).map(\.volumes.count) == [1])
    }
    try container.shutDown()
  }

  @Test func `OX-27 an object that exists is injected as a definition says`() throws {
    let container = try builder("").build()
    let context = try container.object("context", as: ObjectContextProxy.self)
    try onThread {
      let penman = try context.insert(Penman.self)
      try container.inject(into: penman, as: "lem")
      #expect((penman.name, penman.city?.name) == ("Lem", "Cracow"))
    }
    try container.shutDown()
  }

  private func problems(_ property: String) throws -> [ContainerError.Problem] {
    try builder(
      """
      <object id="book" class="Tome" singleton="false"><property name="context" ref="context"/>\
      \(property)</object>
      """
    ).check().problems
  }

  @Test func `OX-27 names, values and classes are checked when the container is built`() throws {
    let unknown = try problems("<property name='titel' value='a'/>")
    #expect(unknown.map(\.code) == [.unknownProperty])
    #expect(unknown.first?.nearNames == ["title"])
    #expect(
      try problems("<property name='pages' value='many'/>").map(\.code) == [.valueNotConvertible])
    let wrong = try problems("<property name='writer' ref='cracow'/>")
    #expect(wrong.map(\.code) == [.typeMismatch])
    #expect(try problems("").isEmpty)
  }

  @Test func `OX-27 an object of an entity is not a singleton, and needs a context`() throws {
    let shared = try builder(
      """
      <object id="book" class="Stamp" singleton="true"><property name="context" ref="context"/>\
      </object>
      """
    ).check().problems
    #expect(shared.map(\.code) == [.sharedNotSendable])
    let alone = try builder("<object id='book' class='Stamp' singleton='false'/>").check().problems
    #expect(alone.map(\.code) == [.noInitializer])
  }
}
