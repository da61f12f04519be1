internal import OxbowDocuments

extension BindingContext {
  /// What fills a injection point as a file says; nil when that is a problem.
  func supply(
    _ content: InjectedContent, to point: AnyInjectionPoint, at place: SupplyPlace
  ) -> Supply? {
    switch content {
    case .reference(PlaceholderText.unresolved): markFaulty()
    case .reference(let name): return .object(need(point.dependency(to: name, at: place)))
    case .text(let text, let typeName):
      return constant(text, typeName: typeName, to: point, at: place)
    case .byType: return byType(point, at: place)
    case .collection(let elements, let typeName):
      if point.kind == .list {
        return checkType(typeName, of: point, at: place)
          ? list(elements, to: point, at: place) : nil
      }
      report(.noCollection(place: text(of: place), typeName: point.typeName, at: place.location))
    case .dictionary(let entries):
      if point.kind == .map { return map(entries, to: point, at: place) }
      report(.noDictionary(place: text(of: place), typeName: point.typeName, at: place.location))
    case .definition:
      preconditionFailure("definitions in place have names when they are drafted")
    }
    return nil
  }

  private func text(of place: SupplyPlace) -> String {
    "object \"\(definition.name)\", \(place.role.text)"
  }

  // MARK: - By type

  /// The one object that fits a injection point, or all that fit a injection point for several.
  private func byType(_ point: AnyInjectionPoint, at place: SupplyPlace) -> Supply {
    if point.takesContainer { return .container }
    let isOne = point.kind == .one
    let part = isOne ? point : point.part()
    let request = part.request(wantsAll: !isOne)
    let dependency = need(part.dependency(to: request.token, request: request, at: place))
    return isOne ? .object(dependency) : .all(dependency)
  }

  // MARK: - Collections

  private func list(
    _ elements: [InjectedElement], to point: AnyInjectionPoint, at place: SupplyPlace
  ) -> Supply? {
    let part = point.part()
    let supplies = elements.enumerated().map { number, element in
      supply(
        element.content, to: part,
        at: place.part(.element(number + 1, of: place.role), at: element.location))
    }
    let found = supplies.compactMap(\.self)
    return found.count == supplies.count ? .list(found) : nil
  }

  private func map(_ entries: [InjectedEntry], to point: AnyInjectionPoint, at place: SupplyPlace)
    -> Supply?
  {
    let part = point.part()
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
    _ text: String, typeName: String?, to point: AnyInjectionPoint, at place: SupplyPlace
  ) -> Supply? {
    guard text != PlaceholderText.unresolved else {
      markFaulty()
      return nil
    }
    guard checkType(typeName, of: point, at: place) else { return nil }
    if point.holdsClass, let provider = classes.find(text).flatMap({ point.constant($0.type) }) {
      return .constant(provider)
    }
    do throws(ValueConverters.Failure) {
      return .constant(try point.constant(text, called: typeName, by: values))
    } catch {
      report(error, text, typeName: point.typeName, at: place)
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

  /// Whether what the file says about the type is true of the injection point; reports when it is not.
  private func checkType(_ name: String?, of point: AnyInjectionPoint, at place: SupplyPlace)
    -> Bool
  {
    guard let name, TypeNames.fit(name, point.type) == .misfit else { return true }
    report(
      .wrongTypeName(
        name, place: text(of: place), typeName: point.typeName, at: place.valueLocation))
    return false
  }
}
