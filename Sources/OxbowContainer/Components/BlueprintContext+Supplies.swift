internal import OxbowDocuments

extension BlueprintContext {
  /// What fills a slot as a file says; nil when that is a problem.
  func supply(
    _ content: InjectedContent, to slot: AnySlot, at place: SupplyPlace
  ) -> Supply? {
    switch content {
    case .reference(UnresolvedText.marker): markFaulty()
    case .reference(let name): return .object(need(slot.edge(to: name, at: place)))
    case .text(let text, let typeName):
      return constant(text, typeName: typeName, to: slot, at: place)
    case .byType: return byType(slot, at: place)
    case .collection(let elements, let typeName):
      if slot.kind == .list {
        return checkType(typeName, of: slot, at: place) ? list(elements, to: slot, at: place) : nil
      }
      report(.noCollection(place: text(of: place), typeName: slot.typeName, at: place.location))
    case .dictionary(let entries):
      if slot.kind == .map { return map(entries, to: slot, at: place) }
      report(.noDictionary(place: text(of: place), typeName: slot.typeName, at: place.location))
    case .definition:
      preconditionFailure("definitions in place have names when they are drafted")
    }
    return nil
  }

  private func text(of place: SupplyPlace) -> String {
    "object \"\(definition.name)\", \(place.role.text)"
  }

  // MARK: - By type

  /// The one object that fits a slot, or all that fit a slot for several.
  private func byType(_ slot: AnySlot, at place: SupplyPlace) -> Supply {
    if slot.takesContainer { return .container }
    let isOne = slot.kind == .one
    let part = isOne ? slot : slot.part()
    let request = part.request(wantsAll: !isOne)
    let edge = need(part.edge(to: request.token, request: request, at: place))
    return isOne ? .object(edge) : .all(edge)
  }

  // MARK: - Collections

  private func list(
    _ elements: [InjectedElement], to slot: AnySlot, at place: SupplyPlace
  ) -> Supply? {
    let part = slot.part()
    let supplies = elements.enumerated().map { number, element in
      supply(
        element.content, to: part,
        at: place.part(.element(number + 1, of: place.role), at: element.location))
    }
    let found = supplies.compactMap(\.self)
    return found.count == supplies.count ? .list(found) : nil
  }

  private func map(_ entries: [InjectedEntry], to slot: AnySlot, at place: SupplyPlace) -> Supply? {
    let part = slot.part()
    var seen: Set<String> = []
    let supplies = entries.map { entry -> Supply.Entry? in
      let place = place.part(.entry(entry.key, of: place.role), at: entry.location)
      guard seen.insert(entry.key).inserted else {
        report(.repeatedKey(entry.key, place: text(of: place), at: place.location))
        return nil
      }
      return supply(entry.content, to: part, at: place).map {
        Supply.Entry(key: entry.key, supply: $0)
      }
    }
    let found = supplies.compactMap(\.self)
    return found.count == supplies.count ? .map(found) : nil
  }

  // MARK: - Texts

  private func constant(
    _ text: String, typeName: String?, to slot: AnySlot, at place: SupplyPlace
  ) -> Supply? {
    guard text != UnresolvedText.marker else {
      markFaulty()
      return nil
    }
    guard checkType(typeName, of: slot, at: place) else { return nil }
    if slot.holdsClass, let maker = classes.find(text).flatMap({ slot.constant($0.type) }) {
      return .constant(maker)
    }
    do throws(ValueConverters.Failure) {
      return .constant(try slot.constant(text, called: typeName, by: values))
    } catch {
      report(error, text, typeName: slot.typeName, at: place)
      return nil
    }
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
  private func checkType(_ name: String?, of slot: AnySlot, at place: SupplyPlace) -> Bool {
    guard let name, TypeNames.fit(name, slot.type) == .misfit else { return true }
    report(
      .wrongTypeName(
        name, place: text(of: place), typeName: slot.typeName, at: place.valueLocation))
    return false
  }
}
