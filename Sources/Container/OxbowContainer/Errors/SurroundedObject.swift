/// The object behind a proxy that is there because aspects run around its methods.
struct SurroundedObject: Sendable {
  /// The type of the object.
  let type: any Any.Type
  /// The names of the aspects, outermost first.
  let aspects: [String]
  /// The name of the proxy's protocol.
  let protocolName: String

  /// What a text about the proxy adds to its type.
  var reason: String {
    let names = quoted(aspects)
    let runs = aspects.count == 1 ? "aspect \(names) runs" : "aspects \(names) run"
    return "because \(runs) around the methods of the \(type)"
  }

  /// What somebody who asks for the object itself can do.
  var advice: String {
    let asks = "ask for any \(protocolName)"
    return type is AnyClass ? "\(asks), or mark \(type) @Woven: it stays itself then" : asks
  }
}
