import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files of the original containers, loaded as they are.
@Suite struct SampleLoadingTests {
  /// A builder with the classes that the samples name, and one sample; nil when there are none.
  private func builder(_ sample: String) throws -> ContainerBuilder? {
    guard let folder = Samples.folder else {
      print(Samples.absence)
      return nil
    }
    let builder = ContainerBuilder()
    // They run in OxbowTests, whose classes have protocols.
    builder.compatibility = .idleAspects
    builder.register(SuperMan.self)
    builder.register(Army.self)
    builder.register(MiddleAges.CampaignQuest.self)
    builder.register(MiddleAges.Knight.self)
    builder.register(MiddleAges.CavalryMan.self)
    builder.register(URL.componentDescriptor, as: "NSURL")
    builder.register(MiddleAges.SwordFactory.self)
    builder.register(MiddleAges.Sword.self)
    builder.register(ClassADependsOnB.self)
    builder.register(ClassBDependsOnA.self)
    builder.register(ClassCDependsOnDAndE.self)
    builder.register(ClassDDependsOnC.self)
    builder.register(ClassEDependsOnC.self)
    builder.register(PrototypeInitInjected.self)
    builder.register(PrototypePropertyInjected.self)
    builder.register(CROSingletonA.self)
    builder.register(CROPrototypeA.self)
    builder.register(CROPrototypeB.self)
    try builder.load("\(folder)/assemblies/\(sample)")
    return builder
  }

  @Test func `IV-02 the entities of IVEngine's sample load as they are`() throws {
    guard let builder = try builder("IVEngine/context.xml") else { return }
    #expect(
      builder.check().notes.map(\.text) == [
        "read <contanier> as <container>", "aspect \"weaponAspect\" is not applied",
        "aspect \"clothesAspect\" is not applied", "aspect \"shoesAspect\" is not applied",
        "aspect \"glassesAspect\" is not applied",
      ])
    let container = try builder.build()
    let heroes = try (1...3).map { try container.object("superman\($0)", as: SuperMan.self) }
    #expect(Set(heroes.map(\.name)).count == 3)
    #expect(heroes.map(\.age) == [20, 20, 20])
    let armies = try (1...4).map { try container.object("army\($0)", as: Army.self) }
    #expect(Set(armies.map(\.name)).count == 4)
    for (army, number) in zip(armies, [1, 2, 2, 3]) {
      #expect(army.captain === heroes[number - 1])
    }
    #expect(try container.object("army1", as: Army.self) !== armies[0])
  }

  // MARK: - Typhoon

  @Test func `TY-05 Typhoon's first sample loads, references, values and collections`() throws {
    guard let container = try builder("Typhoon-1.8.2/MiddleAgesAssembly.xml")?.build() else {
      return
    }
    let knight = try container.object("knight", as: MiddleAges.Knight.self)
    #expect(knight.damselsRescued == 12)
    let quest = try #require(knight.quest as? MiddleAges.CampaignQuest)
    #expect(quest.imageUrl == URL(string: "http://www.appsquick.ly/theQuest.jpg"))
    #expect(quest.steps == ["before", "after"])

    let collector = try container.object("knightWithCollections", as: MiddleAges.Knight.self)
    #expect(collector.favoriteDamsels == ["mary", "jane"])
    #expect(collector.friends.count == 2)
    let cavalry = try container.object("anotherKnight", as: MiddleAges.CavalryMan.self)
    #expect(collector.friends.contains(cavalry))
    #expect(collector.quest != nil)

    let constructed = try container.object(
      "knightWithCollectionInConstructor", as: MiddleAges.Knight.self)
    #expect(constructed.favoriteDamsels == ["Mary", "Jane"])
    #expect(constructed.quest != nil)
  }

  @Test func `TY-12 Typhoon's first sample loads, initializers and factories`() throws {
    guard let container = try builder("Typhoon-1.8.2/MiddleAgesAssembly.xml")?.build() else {
      return
    }
    let quest = try container.object("anotherQuest", as: MiddleAges.CampaignQuest.self)
    #expect(quest.imageUrl == URL(string: "http://www.foobar.com"))
    for name in ["anotherKnight", "yetAnotherKnight"] {
      let knight = try container.object(name, as: MiddleAges.CavalryMan.self)
      #expect(knight.quest != nil)
      #expect(knight.hitRatio == 13.75)
      #expect(knight.hasHorseWillTravel)
    }
    #expect(
      try container.object("anotherKnight", as: MiddleAges.CavalryMan.self)
        === container.object("anotherKnight", as: MiddleAges.CavalryMan.self))
    #expect(
      try container.object("serviceUrl", as: URL.self)
        == URL(string: "http://dev.foobar.com/service/"))
    #expect(
      try container.object("blueSword", as: MiddleAges.Sword.self).specification == "forged blue")
    _ = try container.object("swordFactory", as: MiddleAges.SwordFactory.self)
    #expect(try container.object("quest", as: MiddleAges.CampaignQuest.self).steps.count == 2)
  }

  @Test func `TY-11 Typhoon's circular sample is refused, with the circle of its initializers`()
    throws
  {
    guard let builder = try builder("Typhoon-1.8.2/CircularDependenciesAssembly.xml") else {
      return
    }
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    #expect(error?.problems.map(\.code) == [.cyclicInitializers])
    let problem = error?.problems.first
    #expect(problem?.seen.contains("incorrectPrototypeA") == true)
    #expect(problem?.seen.contains("incorrectPrototypeB") == true)
    #expect(problem?.location?.file.hasSuffix("CircularDependenciesAssembly.xml") == true)
  }

  @Test func `TY-11 Typhoon's circular sample loads when broken circles may stay`() throws {
    guard let builder = try builder("Typhoon-1.8.2/CircularDependenciesAssembly.xml") else {
      return
    }
    builder.compatibility.insert(.brokenCircles)
    let container = try builder.build()

    let a = try container.object("classA", as: ClassADependsOnB.self)
    #expect(a.dependencyOnB?.dependencyOnA === a)
    let b = try container.object("classB", as: ClassBDependsOnA.self)
    #expect(b.dependencyOnA?.dependencyOnB === b)
    let c = try container.object("classC", as: ClassCDependsOnDAndE.self)
    #expect(c.dependencyOnD?.dependencyOnC === c)
    #expect(c.dependencyOnE?.dependencyOnC === c)
    let d = try container.object("classD", as: ClassDDependsOnC.self)
    #expect(d.dependencyOnC?.dependencyOnD === d)
    #expect(d.dependencyOnC?.dependencyOnE?.dependencyOnC === d.dependencyOnC)
    let e = try container.object("classE", as: ClassEDependsOnC.self)
    #expect(e.dependencyOnC?.dependencyOnE === e)

    let property = try container.object(
      "prototypePropertyInjected", as: PrototypePropertyInjected.self)
    #expect(property.prototypeInitInjected?.dependency === property)
    let initializer = try container.object(
      "prototypeInitInjected", as: PrototypeInitInjected.self)
    #expect(initializer.dependency.prototypeInitInjected === initializer)

    let singleton = try container.object("CROSingletonA", as: CROSingletonA.self)
    #expect(singleton.prototypeA?.prototypeB.singletonA === singleton)
    #expect(singleton.prototypeB?.singletonA === singleton)
    let prototype = try container.object("CROPrototypeA", as: CROPrototypeA.self)
    #expect(prototype.prototypeB.singletonA === singleton)
    #expect(
      try container.object("CROPrototypeB", as: CROPrototypeB.self).singletonA === singleton)

    for name in ["incorrectPrototypeA", "incorrectPrototypeB"] {
      let error = #expect(throws: ContainerError.self) {
        try container.object(name, as: CROPrototypeA.self)
      }
      #expect(error?.description.contains("incorrectPrototypeA") == true)
      #expect(error?.description.contains("incorrectPrototypeB") == true)
    }
  }
}
