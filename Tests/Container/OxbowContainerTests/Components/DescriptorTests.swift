import OxbowContainer
import Testing

/// What tools can ask of a description.
@Suite struct DescriptorTests {
  @Test func `OX-26 a description lists its properties, finds one by name and makes an object`()
    throws
  {
    let descriptor = Knight.componentDescriptor
    #expect(descriptor.hasProperty("age"))
    #expect(!descriptor.hasProperty("height"))
    let age = try descriptor.property("age")
    #expect(age.typeName == "Int")
    #expect("\(age.valueType)" == "Int")
    #expect(try descriptor.property("quest").isOptional)
    let knight = try #require(try descriptor.newObject() as? Knight)
    try age.set(40, on: knight)
    #expect(knight.age == 40)
    #expect(descriptor.properties.map(\.name) == descriptor.propertyNames)
  }

  @Test func `OX-26 an unknown property, a value of another type, another class: errors`() throws {
    let descriptor = Knight.componentDescriptor
    let unknown = #expect(throws: ContainerError.self) { try descriptor.property("agee") }
    #expect(unknown?.code == .unknownProperty)
    #expect(unknown?.problems.first?.nearNames == ["age"])
    let age = try descriptor.property("age")
    #expect(throws: ContainerError.self) { try age.set("forty", on: Knight()) }
    let foreign = #expect(throws: ContainerError.self) { try age.set(40, on: Grail()) }
    #expect(foreign?.code == .typeMismatch)
  }

  @Test func `OX-26 a class without a plain initializer says which it has`() {
    let error = #expect(throws: ContainerError.self) { try Castle.componentDescriptor.newObject() }
    #expect(error?.code == .noInitializer)
    #expect(error?.problems.first?.seen == "init(name:quest:)")
  }
}
