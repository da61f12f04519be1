internal import OxbowDocuments

extension BindingContext {
  /// The planned value of an injection point; nil when that is a problem.
  ///
  /// A point that is optional may stay empty where no object fits.
  func value(
    of content: InjectedContent, for point: AnyInjectionPoint, when moment: Dependency.Moment,
    at site: InjectionSite, isOptional: Bool = false
  ) -> InjectionValue? {
    switch content {
    case .reference(PlaceholderText.unresolved): markFaulty()
    case .reference(let name):
      return .object(need(point.dependency(to: name, when: moment, at: site)))
    case .text(let text, let typeName):
      return constant(text, typeName: typeName, for: point, at: site)
    case .byType: return byType(point, when: moment, at: site, isOptional: isOptional)
    case .null:
      if point.canBeNil { return .nothing }
      report(.noNil(site: text(of: site), typeName: point.typeName).at(site.location))
    case .collection(let elements, let typeName):
      if point.kind == .list {
        return checkType(typeName, of: point, at: site)
          ? list(elements, for: point, when: moment, at: site) : nil
      }
      report(.noCollection(site: text(of: site), typeName: point.typeName).at(site.location))
    case .dictionary(let entries):
      if point.kind == .map { return map(entries, for: point, when: moment, at: site) }
      report(.noDictionary(site: text(of: site), typeName: point.typeName).at(site.location))
    case .definition:
      preconditionFailure("definitions in place have names when they are planned")
    }
    return nil
  }

  private func text(of site: InjectionSite) -> String { site.text(in: definition.name) }

  // MARK: - By type

  /// The one object that fits an injection point, or all that fit a point for several.
  private func byType(
    _ point: AnyInjectionPoint, when moment: Dependency.Moment, at site: InjectionSite,
    isOptional: Bool
  ) -> InjectionValue {
    if point.takesContainer { return .container }
    let isOne = point.kind == .one
    let part = isOne ? point : point.part()
    let request = part.request(wantsAll: !isOne)
    let dependency = need(
      part.dependency(
        to: request.token, request: request, when: moment, at: site, isOptional: isOptional))
    return isOne ? .object(dependency) : .all(dependency)
  }

  // MARK: - Collections

  private func list(
    _ elements: [InjectedElement], for point: AnyInjectionPoint, when moment: Dependency.Moment,
    at site: InjectionSite
  ) -> InjectionValue? {
    let part = point.part()
    let values = elements.enumerated().map { index, element in
      value(
        of: element.content, for: part, when: moment,
        at: site.element(index, at: element.location))
    }
    let found = values.compactMap(\.self)
    return found.count == values.count ? .group(found) : nil
  }

  private func map(
    _ entries: [InjectedEntry], for point: AnyInjectionPoint, when moment: Dependency.Moment,
    at site: InjectionSite
  ) -> InjectionValue? {
    let part = point.part()
    var seen: Set<String> = []
    let values = entries.map { entry -> InjectionValue? in
      let site = site.entry(entry.key, at: entry.location)
      guard seen.insert(entry.key).inserted else {
        report(.repeatedKey(entry.key, site: text(of: site)).at(site.location))
        return nil
      }
      return value(of: entry.content, for: part, when: moment, at: site)
    }
    let found = values.compactMap(\.self)
    return found.count == values.count ? .group(found, keys: entries.map(\.key)) : nil
  }

  // MARK: - Texts

  private func constant(
    _ text: String, typeName: String?, for point: AnyInjectionPoint, at site: InjectionSite
  ) -> InjectionValue? {
    guard text != PlaceholderText.unresolved else {
      markFaulty()
      return nil
    }
    guard checkType(typeName, of: point, at: site) else { return nil }
    if point.holdsClass, let provider = classes.find(text).flatMap({ point.constant($0.type) }) {
      return .constant(provider)
    }
    let read = definition.booleans.text(text, for: point.type)
    do throws(ValueConverters.Failure) {
      return .constant(try point.constant(read, called: typeName, by: values))
    } catch {
      report(
        .conversion(
          error, of: text, mask: hiddenTexts.mask(of: text), site: self.text(of: site),
          typeName: point.typeName
        ).at(site.valueLocation))
      return nil
    }
  }

  /// Whether what the file says about the type is true of the injection point; reports when it is
  /// not.
  private func checkType(
    _ name: String?, of point: AnyInjectionPoint, at site: InjectionSite
  ) -> Bool {
    guard let name, TypeFit.of(point.type, named: name) == .misfit else { return true }
    report(
      .wrongTypeName(name, site: text(of: site), typeName: point.typeName).at(site.valueLocation))
    return false
  }
}
