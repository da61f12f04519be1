/// The part of a model that one of several stores keeps: the entities of a configuration.
///
/// All stores of a coordinator share the compiled model, whose indices name entities; a store
/// describes only its own part, so that it can also be opened alone.
package struct ModelPart: Sendable {
  /// The part as a model of its own.
  package let source: ManagedObjectModel

  /// The compiled model of which it is all.
  private let whole: CompiledModel?

  package var versionHash: String { whole?.versionHash ?? source.versionHash }

  /// The dense indices of its entities in the compiled model.
  package let entities: Set<Int>

  package init(whole model: CompiledModel) {
    (source, whole) = (model.source, model)
    entities = Set(model.entities.indices)
  }

  package init(_ names: Set<String>, of model: CompiledModel) {
    (source, whole) = (model.source.keeping(names), nil)
    entities = Set(model.entities.lazy.filter { names.contains($0.name) }.map(\.index))
  }
}
