/// The attributes that a file gives a node or an action, read by name.
///
/// Every name that is read is known. A name that is never read is an error with near names, so that
/// a typo does not go unnoticed.
public final class NodeAttributes {
  /// The values.
  public let values: NodeDictionary
  /// The dictionary that contains them.
  public let definition: NodeValue
  /// The context that decides what they mean.
  public let context: NodeValueContext
  private let translate: (String) -> String
  private(set) var asked: Set<String>

  init(
    _ definition: NodeValue, context: NodeValueContext, known: Set<String>,
    translate: @escaping (String) -> String
  ) {
    self.definition = definition
    self.values = definition.dictionary ?? NodeDictionary()
    self.context = context
    self.translate = translate
    asked = known
  }

  /// The value of a name as it is in the file.
  public subscript(name: String) -> NodeValue? {
    asked.insert(name)
    return values[name]
  }

  /// Returns the value of a name, or nil if the file does not have one; names in numbers have the
  /// values of `symbols`, by default those of the node.
  ///
  /// - Throws: ``NodeError`` for a value of another kind.
  public func value<Value: NodeConvertible>(
    _ name: String, as type: Value.Type = Value.self, symbols: (any NodeSymbols)? = nil
  ) throws(NodeError) -> Value? {
    guard let value = self[name] else { return nil }
    var context = context
    if let symbols { context.symbols = symbols }
    do throws(NodeError) { return try Value.convert(value, in: context) } catch {
      throw NodeError(error.problems.map { $0.named(name) }) ?? error
    }
  }

  /// Returns the value of a required name.
  ///
  /// - Throws: ``NodeError``: `missingArgument` if the file does not have one.
  public func required<Value: NodeConvertible>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(NodeError) -> Value {
    if let value = try value(name, as: type) { return value }
    throw missing(name)
  }

  /// A text, translated.
  ///
  /// - Throws: ``NodeError`` for a value of another kind.
  public func text(_ name: String) throws(NodeError) -> String? {
    try value(name, as: String.self).map(translate)
  }

  /// The error for a required name that is missing.
  public func missing(_ name: String) -> NodeError {
    NodeError.missing(name, "\"\(name)\" is missing", in: values, at: definition.location)
  }

  var rest: [NodeDictionary.Entry] { values.entries.filter { !asked.contains($0.key) } }
}

extension NodeError.Problem {
  fileprivate func named(_ name: String) -> NodeError.Problem {
    NodeError.Problem(
      code: code, message: "\"\(name)\": \(message)", location: location, nearNames: nearNames,
      underlying: underlying)
  }
}
