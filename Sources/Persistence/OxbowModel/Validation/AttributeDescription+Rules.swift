internal import OxbowFoundation

extension AttributeDescription {
  /// Returns everything that is wrong with a value of an object, if there is one already.
  package func failures(
    for value: AttributeValue?, of entity: String, object: ManagedObjectID? = nil
  ) -> [PersistenceError] {
    brokenRules(by: value).map {
      .validation(
        "'\(name)' of '\(entity)' \($0.text)", rule: $0.rule, property: name, object: object)
    }
  }

  private func brokenRules(by value: AttributeValue?) -> [BrokenRule] {
    guard let value else {
      return isOptional ? [] : [(.required, "has no value, but needs one")]
    }
    guard type.storage == nil || value.fits(type) else {
      return [(.type, "is \(value), which is not a value of type \(type.rawValue)")]
    }
    return numberFailures(value) + lengthFailures(value) + patternFailures(value)
  }

  private func numberFailures(_ value: AttributeValue) -> [BrokenRule] {
    if value.isNotStorable(as: type) {
      return [(.storable, "is \(value), which no store can keep")]
    }
    var broken: [BrokenRule] = []
    if let minimum = rules.minimum, value.order(to: minimum) == .ascending {
      broken.append((.minimum, "is \(value), below the minimum \(minimum)"))
    }
    if let maximum = rules.maximum, value.order(to: maximum) == .descending {
      broken.append((.maximum, "is \(value), above the maximum \(maximum)"))
    }
    return broken
  }

  private func lengthFailures(_ value: AttributeValue) -> [BrokenRule] {
    guard case .string(let text) = value,
      rules.minimumLength != nil || rules.maximumLength != nil
    else { return [] }
    let length = text.count
    var broken: [BrokenRule] = []
    if let minimum = rules.minimumLength, length < minimum {
      broken.append((.minimumLength, "has \(length) characters, fewer than \(minimum)"))
    }
    if let maximum = rules.maximumLength, length > maximum {
      broken.append((.maximumLength, "has \(length) characters, more than \(maximum)"))
    }
    return broken
  }
}

/// A rule that a value breaks, and what is said of the value.
private typealias BrokenRule = (rule: ValidationFailure.Rule, text: String)

extension AttributeDescription {
  private func patternFailures(_ value: AttributeValue) -> [BrokenRule] {
    // A malformed pattern is a problem of the model, which is not opened with it.
    guard case .string(let text) = value, let pattern = rules.pattern,
      let test = try? TextTest(.matches, pattern, []), !test.holds(text)
    else { return [] }
    return [(.pattern, "is \(value), which the regular expression '\(pattern)' does not match")]
  }
}

extension AttributeValue {
  /// Whether a store would lose the value: SQLite turns NaN into no value.
  fileprivate func isNotStorable(as type: AttributeType) -> Bool {
    switch self {
    case .double(let number):
      number.isNaN || type == .float && number.isFinite && Float(number).isInfinite
    case .date(let date): !date.timeIntervalSinceReferenceDate.isFinite
    case .decimal(let number): number.isNaN
    default: false
    }
  }
}

extension RelationshipDescription {
  /// Whether an object may be saved for which it leads nowhere: a required to-many relationship
  /// must lead somewhere only if it has a smallest count, as in Core Data.
  package var mayBeEmpty: Bool { isOptional || isToMany && minimumCount <= 0 }

  /// Returns everything that is wrong with a number of objects.
  package func failures(
    forCount count: Int, of entity: String, object: ManagedObjectID? = nil
  ) -> [PersistenceError] {
    brokenRules(byCount: count).map {
      .validation(
        "'\(name)' of '\(entity)' \($0.text)", rule: $0.rule, property: name, object: object)
    }
  }

  private func brokenRules(byCount count: Int) -> [BrokenRule] {
    let seen = "leads to \(count) objects of '\(destination)'"
    guard count > 0 else {
      return mayBeEmpty ? [] : [(.required, "leads to no object of '\(destination)', but has to")]
    }
    guard isToMany else { return [] }
    var broken: [BrokenRule] = []
    if count < minimumCount {
      broken.append((.minimumCount, "\(seen), fewer than \(minimumCount)"))
    }
    if maximumCount > 0, count > maximumCount {
      broken.append((.maximumCount, "\(seen), more than \(maximumCount)"))
    }
    return broken
  }
}
