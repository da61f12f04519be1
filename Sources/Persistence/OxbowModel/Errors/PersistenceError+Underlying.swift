extension PersistenceError {
  /// What a store of the program's own threw, where that is why something failed.
  public var underlyingError: (any Error)? { particulars?.underlying }

  /// Returns an error for what a store of the program's own threw.
  package static func storeFailed(_ name: String, _ what: String, _ error: any Error) -> Self {
    var result = PersistenceError(
      .storeFailed, "the store '\(name)' \(what)",
      details: [Detail(label: "store", text: "\(error)")])
    result.particulars = Particulars(underlying: error)
    return result
  }
}
