internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension ProxiedProtocol {
  /// The peer class that forwards to any implementation of the protocol.
  ///
  /// It is Sendable whether the protocol is or not, because it stores none of it.
  var proxyClass: DeclSyntax {
    let parameters = associatedTypes.map { $0.name + $0.inheritance }.joined(separator: ", ")
    let generics = parameters.isEmpty ? "" : "<\(parameters)>"
    let requirements = associatedTypes.flatMap(\.requirements) + primaryRequirements
    let whereClause = requirements.isEmpty ? "" : " where " + requirements.joined(separator: ", ")
    let member = memberAccess(access)
    return """
      /// Forwards to the object of `\(raw: name)` that its source supplies at each call.
      \(raw: availability)nonisolated \(raw: access.isEmpty ? "" : access + " ")final class \
      \(raw: name)Proxy\(raw: generics): \(raw: statement != nil ? "" : name + "Forwarding, ")\(raw: Emitted.forwardingProxy)\(raw: whereClause) {
        /// Where the target comes from.
        \(raw: member)let _source: any \(raw: Emitted.proxySource)<\(raw: existential)>

        /// What is notified of each call.
        \(raw: member)let _callObserver: (any \(raw: Emitted.callObserver))?

        /// What lends targets to calls that no observer sees.
        \(raw: member)let _lender: \(raw: Emitted.targetLender)<\(raw: existential)>?

        /// Creates a proxy for the objects of a source.
        \(raw: member)init(source: any \(raw: Emitted.proxySource)<\(raw: existential)>) {
          _source = source
          _callObserver = source.callObserver
          _lender = _callObserver == nil ? source.lender : nil
        }

        /// Returns a proxy for one object, which all threads may use.
        \(raw: member)static func fixed(_ target: \(raw: existential) & Sendable) -> \
      \(raw: name)Proxy {
          \(raw: name)Proxy(source: \(raw: Emitted.fixedSource)<\(raw: existential)>.unchecked(target))
        }

        /// Returns a proxy for an object that the first call makes, for all threads.
        \(raw: member)static func lazy(
          _ make: @escaping @Sendable () throws -> \(raw: existential) & Sendable
        ) -> \(raw: name)Proxy {
          \(raw: name)Proxy(source: \(raw: Emitted.lazySource)<\(raw: existential)>.unchecked { try make() })
        }

        /// Returns a proxy that notes its calls, for an object that the first of them makes.
        \(raw: member)static func recording(
          into recorder: \(raw: Emitted.callRecorder),
          _ make: @escaping @Sendable () throws -> \(raw: existential) & Sendable
        ) -> \(raw: name)Proxy {
          \(raw: name)Proxy(
            source: \(raw: Emitted.recordingSource)<\(raw: existential)>.unchecked(into: recorder) { try make() })
        }

        /// Returns whether objects of a type can be targets.
        \(raw: member)static func accepts(_ type: any Any.Type) -> Bool {
          type is \(raw: existential).Type
        }

        /// Returns the object that the source supplies now.
        \(raw: member)func \(raw: targetName)() throws -> \(raw: existential) {
          try _source.target()
        }

        /// The object that the source lends to a call that is made now, if it lends any.
        @inline(__always) \(raw: member)var \(raw: lentName): \(raw: Emitted.lentTarget)<\(raw: existential)>? {
          _lender?.lent
        }\(raw: demand)\(raw: record)
      }
      """
  }

  /// What a protocol that is refused gets, so that the line with the conformance is no second
  /// error.
  var standIns: [DeclSyntax] {
    guard statement != nil else { return [] }
    let level = access.isEmpty ? "" : access + " "
    return [
      "\(raw: level)protocol \(raw: name)Forwarding {}",
      "\(raw: level)final class \(raw: name)Proxy {}",
    ]
  }

  /// What does not compile unless the sources state the conformance.
  private var demand: String {
    guard let statement else { return "" }
    return """


        /// Compiles where the sources state the conformance: the optimizer must see it there.
        private func _demandConformance() {
          \(located("_conformance(self)", at: statement.location).indented(by: 4))
        }

        private func _conformance(_ proxy: any \(name)Forwarding\(typeArguments)) {}

        @_disfavoredOverload
        @available(*, unavailable, message: "\(statement.message)")
        private func _conformance(_ proxy: Any) {}
      """
  }

  /// The record by which files find the proxy; a generic class has none.
  private var record: String {
    guard associatedTypes.isEmpty else { return "" }
    let entry = ".proxy(\(Emitted.proxyDescriptor)(\(name)Proxy.self, name: \"\(name)\"))"
    return "\n\n" + componentRecord(entry, indentedBy: 2)
  }
}

extension ProxiedProtocol.Statement {
  fileprivate var message: String {
    "a proxy of a protocol that only its module sees needs a conformance in the sources, because "
      + "optimized builds go by those alone; write '\(text)' below the protocol"
  }
}
