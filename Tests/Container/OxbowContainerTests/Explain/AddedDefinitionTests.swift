import OxbowContainer
import OxbowDocuments
import Testing

/// What is explained and drawn is what the container has (review D8).
@Suite struct AddedDefinitionTests {
  private struct Court: DefinitionPostProcessor {
    func process(_ definitions: inout [ObjectDefinition]) throws {
      definitions.removeAll { $0.name == "gone" }
      for index in definitions.indices where definitions[index].name == "changed" {
        definitions[index].className = "King"
      }
      var added = ObjectDefinition("added", class: "Knight", scope: "prototype")
      added.addReference("rival", to: "changed")
      definitions.append(added)
    }
  }

  private final class Page: Component {
    var quest: (any Quest)?
    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Page.self, name: "Page", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Page() }],
        properties: [
          .property(
            "quest", (any Quest).self, typeName: "(any Quest)?", sendability: .of(),
            isOptional: true, accepts: { $0 is any Quest.Type }, set: { $0.quest = $1 })
        ],
        annotations: ComponentAnnotations(assignments: [PropertyAssignment("quest", to: .byType)]))
    }
  }

  @Test func `review H46b: what a processor adds, changes and removes is seen`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.add(Court())
    for name in ["first", "gone", "changed"] {
      builder.add(ObjectDefinition(name, class: "Knight", scope: "prototype"))
    }
    let graph = try builder.build().graph
    #expect(graph.definitions.map(\.name) == ["first", "changed", "added"])
    #expect(graph.missingNames.isEmpty)
    #expect(graph["changed"]?.className == "King")
    #expect(try graph.explain("added").definition.needs.map(\.isDefined) == [true])
    #expect(try graph.explain("changed").neededBy.map(\.owner) == ["added"])
    #expect(builder.check().graph.definitions.map(\.name) == ["first", "changed", "added"])
  }

  @Test func `review H46a: a class that a place by type defines is seen`() throws {
    let builder = ContainerBuilder()
    builder.register(Page.self)
    builder.singleton(named: "grail", Grail.init)
    builder.prototype(named: "court", { (page: Page) in [page] }, Ref.byType(Page.self))
    let container = try builder.build()
    #expect(container.graph.definitions.map(\.name) == ["grail", "court", "Page"])
    #expect(container.graph.missingNames.isEmpty)
    #expect(try container.explain("Page").neededBy.map(\.owner) == ["court"])
    #expect(!container.graph.mermaid.contains(":::missing"))
  }
}
