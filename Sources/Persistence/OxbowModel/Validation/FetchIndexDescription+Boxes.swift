extension FetchIndexDescription {
  /// Why an index of boxes cannot be kept; `nil` where it can, and for another index.
  ///
  /// `line` is its entity and those that it inherits from. Names that are unknown are the concern
  /// of all indexes.
  func boxProblem(in line: [EntityDescription]) -> String? {
    guard isRTree else { return nil }
    guard elements.allSatisfy({ $0.type == .rTree }) else {
      return "only some of its elements are RTree, and an index has either boxes or an order of "
        + "values; declare two indexes"
    }
    guard (2...10).contains(elements.count), elements.count.isMultiple(of: 2) else {
      return "an RTree index has 2, 4, 6, 8 or 10 elements, the begin and the end of each "
        + "dimension, and this one has \(elements.count)"
        + (elements.count == 1 ? "; values by themselves need an index of type Binary" : "")
    }
    let names = elements.map(\.property)
    if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
      return "it names '\(name)' twice; points need an index of type Binary"
    }
    if let name = names.first(where: { name in
      line.contains { $0.relationships.contains { $0.name == name } }
    }) {
      return "'\(name)' is a relationship, and an RTree index has dates and numbers"
    }
    return typeProblem(line.flatMap { $0.flattened.attributes })
  }

  private func typeProblem(_ attributes: [AttributeDescription]) -> String? {
    let types = elements.map { element in
      attributes.first { $0.name == element.property }.map(\.type)
    }
    for (element, type) in zip(elements, types) where type?.isBoxed != true {
      // What is not found, or cannot be in any index, has a message of its own.
      guard let type, type != .composite else { continue }
      return "'\(element.property)' is \(type.rawValue), and an RTree index has dates and numbers "
        + "other than decimal ones"
    }
    for dimension in stride(from: 0, to: elements.count, by: 2) {
      guard let begin = types[dimension], let end = types[dimension + 1],
        (begin == .date) != (end == .date)
      else { continue }
      return "'\(elements[dimension].property)' and '\(elements[dimension + 1].property)' are the "
        + "ends of one dimension, and their types are \(begin.rawValue) and \(end.rawValue)"
    }
    return nil
  }
}

extension AttributeType {
  /// Whether an index of boxes can have its values.
  fileprivate var isBoxed: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .date: true
    default: false
    }
  }
}
