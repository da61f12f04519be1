internal import OxbowDocuments

extension BlueprintContext {
  /// What delivers what a property or argument is set to; nil when that is a problem.
  package func supply<Value>(
    for assignment: PropertyAssignment,
    role: @escaping @autoclosure @Sendable () -> String, strength: Edge.Strength,
    slot: Slot<Value>
  ) -> Supply<Value>? {
    supply(
      assignment.content, to: slot,
      at: SupplyPlace(
        role: role, strength: strength, location: assignment.location,
        valueLocation: assignment.valueLocation))
  }

  private func supply<Value>(
    _ content: InjectedContent, to slot: Slot<Value>, at place: SupplyPlace
  ) -> Supply<Value>? {
    switch content {
    case .reference(let name): return .reference(slot.reference(to: name), at: place)
    case .text(let text, let typeName):
      return constant(text, typeName: typeName, to: slot, at: place)
    case .byType: return byType(slot, at: place)
    case .collection(let elements, let typeName):
      if let type = Value.self as? any CollectionSlot.Type {
        guard checkType(typeName, of: slot, at: place) else { return nil }
        return collection(elements, of: type, to: slot, at: place)
      }
      report(.noCollection(place: text(of: place), typeName: slot.typeName, at: place.location))
    case .dictionary(let entries):
      if let type = Value.self as? any DictionarySlot.Type {
        return dictionary(entries, of: type, to: slot, at: place)
      }
      report(.noDictionary(place: text(of: place), typeName: slot.typeName, at: place.location))
    case .definition:
      preconditionFailure("definitions in place have names when they are drafted")
    }
    return nil
  }

  private func text(of place: SupplyPlace) -> String {
    "object \"\(definition.name)\", \(place.role())"
  }

  // MARK: - Collections

  private func collection<Collection: CollectionSlot, Value>(
    _ elements: [InjectedElement], of type: Collection.Type, to slot: Slot<Value>,
    at place: SupplyPlace
  ) -> Supply<Value>? {
    let part = slot.part(Collection.Element.self)
    let supplies = elements.enumerated().map { number, element in
      supply(
        element.content, to: part,
        at: place.part("element \(number + 1)", at: element.location))
    }
    guard supplies.allSatisfy({ $0 != nil }) else { return nil }
    let all = supplies.compactMap(\.self)
    return Supply<Collection>(edges: all.flatMap(\.edges)) { linker in
      CollectionMaker(try all.map { try $0.link(linker) })
    } as? Supply<Value>
  }

  private func dictionary<Map: DictionarySlot, Value>(
    _ entries: [InjectedEntry], of type: Map.Type, to slot: Slot<Value>, at place: SupplyPlace
  ) -> Supply<Value>? {
    let part = slot.part(Map.Item.self)
    var seen: Set<String> = []
    let supplies = entries.map { entry -> Supply<Map.Item>? in
      let place = place.part("key \"\(entry.key)\"", at: entry.location)
      guard seen.insert(entry.key).inserted else {
        report(.repeatedKey(entry.key, place: text(of: place), at: place.location))
        return nil
      }
      return supply(entry.content, to: part, at: place)
    }
    guard supplies.allSatisfy({ $0 != nil }) else { return nil }
    let all = zip(entries.map(\.key), supplies.compactMap(\.self)).map { ($0, $1) }
    return Supply<Map>(edges: all.flatMap(\.1.edges)) { linker in
      DictionaryMaker(try all.map { (key: $0, maker: try $1.link(linker)) })
    } as? Supply<Value>
  }

  // MARK: - Texts

  private func constant<Value>(
    _ text: String, typeName: String?, to slot: Slot<Value>, at place: SupplyPlace
  ) -> Supply<Value>? {
    guard text != UnresolvedText.marker else {
      markFaulty()
      return nil
    }
    guard checkType(typeName, of: slot, at: place) else { return nil }
    if values.isClass(Value.self), let type = classValue(text, Value.self, at: place) {
      return .reference(type, at: place)
    }
    do throws(ValueConverters.Failure) {
      return .constant(try values.convert(text, to: Value.self, called: typeName))
    } catch {
      report(error, text, typeName: slot.typeName, at: place)
      return nil
    }
  }

  /// The class that a text names; asked where a class is wanted.
  private func classValue<Value>(
    _ text: String, _ type: Value.Type, at place: SupplyPlace
  ) -> Ref<Value>? {
    guard let found = classes.find(text) else { return nil }
    return (found.type as? Value).map { Ref.constant($0) }
  }

  private func report(
    _ failure: ValueConverters.Failure, _ text: String, typeName: String, at place: SupplyPlace
  ) {
    switch failure {
    case .noConverter:
      report(
        .noConverter(place: self.text(of: place), typeName: typeName, at: place.valueLocation))
    case .notConvertible(let expected, let near):
      report(
        .valueNotConvertible(
          text, place: self.text(of: place), typeName: typeName, at: place.valueLocation,
          expected: expected, near: near))
    }
  }

  /// Whether what the file says about the type is true of the slot; reports when it is not.
  private func checkType<Value>(
    _ name: String?, of slot: Slot<Value>, at place: SupplyPlace
  ) -> Bool {
    guard let name, TypeNames.fit(name, Value.self) == .misfit else { return true }
    report(
      .wrongTypeName(
        name, place: text(of: place), typeName: slot.typeName, at: place.valueLocation))
    return false
  }
}
