internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension ProxiedProtocol {
  /// The peer class that stands for any implementation of the protocol.
  ///
  /// It is Sendable whether the protocol is or not, because it stores none of it.
  var proxyClass: DeclSyntax {
    let parameters = associatedTypes.map { $0.name + $0.inheritance }.joined(separator: ", ")
    let generics = parameters.isEmpty ? "" : "<\(parameters)>"
    let requirements = associatedTypes.flatMap(\.requirements) + primaryRequirements
    let whereClause = requirements.isEmpty ? "" : " where " + requirements.joined(separator: ", ")
    let member = memberAccess(access)
    return """
      /// Stands for an object of `\(raw: name)` that its source supplies at each call.
      \(raw: availability)nonisolated \(raw: access.isEmpty ? "" : access + " ")final class \
      \(raw: name)Proxy\(raw: generics): \(raw: name)Forwarding, \(raw: name), \
      ForwardingProxy\(raw: whereClause) {
        /// Where the target comes from.
        \(raw: member)let _source: any ProxySource<\(raw: existential)>

        /// What is told of each call.
        \(raw: member)let _callObserver: (any CallObserver)?

        /// What lends targets to calls of which no observer is told.
        \(raw: member)let _lender: TargetLender<\(raw: existential)>?

        /// Creates a proxy for the objects of a source.
        \(raw: member)init(source: any ProxySource<\(raw: existential)>) {
          _source = source
          _callObserver = source.callObserver
          _lender = _callObserver == nil ? source.lender : nil
        }

        /// Returns whether objects of a type can be targets.
        \(raw: member)static func accepts(_ type: any Any.Type) -> Bool {
          type is \(raw: existential).Type
        }

        /// Returns the object that the source supplies now.
        \(raw: member)func _target\(raw: name)() throws -> \(raw: existential) {
          try _source.target()
        }

        /// The object that the source lends to a call that is made now, if it lends any.
        @inline(__always) \(raw: member)var _lent\(raw: name): LentTarget<\(raw: existential)>? {
          _lender?.lent
        }\(raw: record)
      }
      """
  }

  /// The record by which files find the proxy; a generic class has none.
  private var record: String {
    guard associatedTypes.isEmpty else { return "" }
    let entry = ".proxy(ProxyDescriptor(\(name)Proxy.self, name: \"\(name)\"))"
    return "\n\n" + componentRecord(entry, indentedBy: 2)
  }
}
