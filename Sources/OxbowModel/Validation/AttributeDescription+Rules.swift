#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AttributeDescription {
  /// Returns everything that is wrong with a value; nothing when it may be saved.
  ///
  /// The messages name the entity; the errors name the object, where there is one.
  package func failures(
    for value: AttributeValue?, of entity: String, object: ManagedObjectID? = nil
  ) -> [PersistenceError] {
    failureTexts(for: value).map {
      PersistenceError(
        .validation, "'\(name)' of '\(entity)' \($0)", objectIDs: object.map { [$0] } ?? [])
    }
  }

  private func failureTexts(for value: AttributeValue?) -> [String] {
    guard let value else { return isOptional ? [] : ["has no value, but needs one"] }
    guard type.storage == nil || value.fits(type) else {
      return ["is \(value), which is no value of type \(type.rawValue)"]
    }
    return numberFailures(value) + lengthFailures(value) + patternFailures(value)
  }

  private func numberFailures(_ value: AttributeValue) -> [String] {
    if value.isNotStorable(as: type) { return ["is \(value), which no store can keep"] }
    var texts: [String] = []
    if let minimum = rules.minimum, value.order(to: minimum) == .ascending {
      texts.append("is \(value), below the minimum \(minimum)")
    }
    if let maximum = rules.maximum, value.order(to: maximum) == .descending {
      texts.append("is \(value), above the maximum \(maximum)")
    }
    return texts
  }

  private func lengthFailures(_ value: AttributeValue) -> [String] {
    guard case .string(let text) = value,
      rules.minimumLength != nil || rules.maximumLength != nil
    else { return [] }
    let length = text.count
    var texts: [String] = []
    if let minimum = rules.minimumLength, length < minimum {
      texts.append("has \(length) characters, fewer than \(minimum)")
    }
    if let maximum = rules.maximumLength, length > maximum {
      texts.append("has \(length) characters, more than \(maximum)")
    }
    return texts
  }
}

extension AttributeDescription {
  private func patternFailures(_ value: AttributeValue) -> [String] {
    // A pattern that is none is a problem of the model, which is not opened with it.
    guard case .string(let text) = value, let pattern = rules.pattern,
      let test = try? TextTest(.matches, pattern, []), !test.holds(text)
    else { return [] }
    return ["is \(value), which the regular expression '\(pattern)' does not match"]
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
  /// Returns everything that is wrong with a number of objects; nothing when it may be saved.
  ///
  /// The messages name the entity; the errors name the object, where there is one.
  package func failures(
    forCount count: Int, of entity: String, object: ManagedObjectID? = nil
  ) -> [PersistenceError] {
    failureTexts(forCount: count).map {
      PersistenceError(
        .validation, "'\(name)' of '\(entity)' \($0)", objectIDs: object.map { [$0] } ?? [])
    }
  }

  private func failureTexts(forCount count: Int) -> [String] {
    guard count > 0 else {
      return isOptional ? [] : ["leads to no object of '\(destination)', but has to"]
    }
    guard isToMany else { return [] }
    var texts: [String] = []
    if count < minimumCount {
      texts.append("leads to \(count) objects of '\(destination)', fewer than \(minimumCount)")
    }
    if maximumCount > 0, count > maximumCount {
      texts.append("leads to \(count) objects of '\(destination)', more than \(maximumCount)")
    }
    return texts
  }
}
