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
    let inherited = (statement != nil ? "" : name + "Forwarding, ") + "ForwardingProxy"
    return """
      /// Forwards to the object of `\(raw: name)` that its source supplies at each call.
      \(raw: availability)nonisolated \(raw: peerAccess)final class \
      \(raw: name)Proxy\(raw: generics): \(raw: inherited)\(raw: whereClause) {
        /// Where the target comes from.
        \(raw: member)let _source: any ProxySource<\(raw: existential)>

        /// What is notified of each call.
        \(raw: member)let _callObserver: (any CallObserver)?

        /// Gives calls that no observer sees access to targets.
        \(raw: member)let _targetAccess: TargetAccess<\(raw: existential)>?\
      \(raw: aspectsProperty)

        /// Creates a proxy for the objects of a source.
        \(raw: member)init(source: any ProxySource<\(raw: existential)>) {
          _source = source
          _callObserver = source.callObserver
          _targetAccess = _callObserver == nil ? source.targetAccess : nil\(raw: aspectsAssignment)
        }

        /// Returns a proxy for one object, which all threads may use.
        \(raw: member)static func fixed(_ target: \(raw: existential) & Sendable) -> \
      \(raw: name)Proxy {
          \(raw: name)Proxy(source: FixedSource<\(raw: existential)>.unchecked(target))
        }

        /// Returns a proxy for an object that the first call makes, for all threads.
        \(raw: member)static func lazy(
          _ make: @escaping @Sendable () throws -> \(raw: existential) & Sendable
        ) -> \(raw: name)Proxy {
          \(raw: name)Proxy(source: LazySource<\(raw: existential)>.unchecked { try make() })
        }

        /// Returns a proxy that notes its calls, for an object that the first of them makes.
        \(raw: member)static func recording(
          into recorder: CallRecorder,
          _ make: @escaping @Sendable () throws -> \(raw: existential) & Sendable
        ) -> \(raw: name)Proxy {
          \(raw: name)Proxy(
            source: RecordingSource<\(raw: existential)>.unchecked(into: recorder) { try make() })
        }

        /// Returns whether objects of a type can be targets.
        \(raw: member)static func accepts(_ type: any Any.Type) -> Bool {
          type is \(raw: existential).Type
        }

        /// Returns the object that the source supplies now.
        \(raw: member)func \(raw: targetName)() throws -> \(raw: existential) {
          try _source.target()
        }

        /// The target that a call made now may borrow, if the source keeps one.
        @inline(__always) \(raw: member)var \(raw: borrowedName): \
      BorrowedTarget<\(raw: existential)>? {
          _targetAccess?.borrowed
        }\(raw: calls)\(raw: demand)\(raw: record)
      }
      """
  }

  /// Stand-ins for a refused protocol, so that the line with the conformance is not a second error.
  var standIns: [DeclSyntax] {
    guard statement != nil else { return [] }
    return [
      "\(raw: peerAccess)protocol \(raw: name)Forwarding {}",
      "\(raw: peerAccess)final class \(raw: name)Proxy {}",
    ]
  }

  /// Members that compile only where the sources state the conformance.
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

  /// The record by which files find the proxy, unless the class is generic.
  private var record: String {
    guard associatedTypes.isEmpty else { return "" }
    let entry = ".proxy(ProxyDescriptor(\(name)Proxy.self, name: \"\(name)\"))"
    return "\n\n" + componentRecord(entry, indentedBy: 2)
  }
}

extension ProxiedProtocol.Statement {
  fileprivate var message: String {
    "a proxy of a protocol that only its module sees needs a conformance in the sources, because "
      + "optimized builds go by those alone; write '\(text)' below the protocol"
  }
}
