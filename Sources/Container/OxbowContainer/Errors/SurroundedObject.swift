/// The object behind a proxy that is there because aspects run around its methods.
package struct SurroundedObject: Sendable {
  /// The type of the object.
  package let type: any Any.Type
  /// The names of the aspects, outermost first.
  package let aspects: [String]
  /// The name of the proxy's protocol.
  package let protocolName: String

  /// What a text about the proxy adds to its type.
  package var reason: String {
    let names = quoted(aspects)
    let runs = aspects.count == 1 ? "aspect \(names) runs" : "aspects \(names) run"
    return "because \(runs) around the methods of the \(type)"
  }

  /// What somebody who asks for the object itself can do.
  package var advice: String {
    let asks = "ask for any \(protocolName)"
    return type is AnyClass ? "\(asks), or mark \(type) @Woven: it stays itself then" : asks
  }
}
