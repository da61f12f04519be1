import Foundation
import Oxbow
import Testing

// The code of docs/guide/aspects.md.

/// What the guide's aspects run around.
enum AspectsGuide {
  @Proxied(aspects: true) protocol Library {
    func lend(_ title: String, to reader: String) throws -> String
    func titles() throws -> [String]
  }

  struct SmallLibrary: Library {
    func lend(_ title: String, to reader: String) throws -> String { "\(title) for \(reader)" }
    func titles() -> [String] { ["Solaris"] }
  }

  final class Audit: NonThrowingAspect {
    private let log: AuditLog

    init(log: AuditLog) { self.log = log }

    func before(_ call: Invocation) { log.note("\(call)") }
    func afterReturning(_ call: Invocation) { log.note("→ \(call.result ?? "nothing")") }
  }

  final class UpperCase: Aspect {
    func around(_ call: Invocation, proceed: () throws -> Void) throws {
      if let title: String = call.argument(0, as: String.self) {
        try call.setArgument(0, to: title.uppercased())
      }
      try proceed()
      if let answer = call.result as? String { try call.setResult(answer + "!") }
    }
  }

  @Woven final class Till {
    func sell(_ title: String) throws -> Int { try price(of: title) * 2 }
    func price(of title: String) throws -> Int { title.count }
  }

  static func till() throws -> Container {
    let builder = ContainerBuilder()
    let log = builder.singleton(named: "auditLog", { AuditLog() })
    builder.prototype(named: "till", Till.init)
    builder.aspect(named: "tillAudit", on: .objects("till").methods("price"), Audit.init(log:), log)
    return try builder.build()
  }

  static func container() throws -> Container {
    let builder = ContainerBuilder()
    builder.singleton(named: "library", { SmallLibrary() })
    let log = builder.singleton(named: "auditLog", { AuditLog() })
    builder.aspect(named: "audit", on: .objects(of: (any Library).self), Audit.init(log:), log)
    builder.aspect(named: "upperCase", on: .objects("library").methods("lend"), { UpperCase() })
    return try builder.build()
  }
}

extension AspectsGuide.LibraryProxy: AspectsGuide.LibraryForwarding {}

extension AspectsGuide {
  final class AuditLog: @unchecked Sendable {
    // Sendable by argument: behind its lock.
    private let lock = NSLock()
    private var noted: [String] = []

    var lines: [String] { lock.withLock { noted } }

    func note(_ line: String) { lock.withLock { noted.append(line) } }
  }

  static func transactions(_ builder: ContainerBuilder, _ types: [any ModelObject.Type]) {
    let context = builder.persistentStore(at: .temporary, types: types)
    builder.transactional(
      on: .objects("library").methods("lend"),
      retry: TransactionRetry(attempts: 3, delay: .milliseconds(10)), context: context)
  }
}

#if Metrics && Tracing
  extension AspectsGuide {
    static func observe(_ builder: ContainerBuilder) {
      builder.timing(on: .objects("library"), label: "library.duration")
      builder.tracing(on: .objects("library").methods("lend"))
    }
  }
#endif

@Suite struct AspectsGuideTests {
  @Test func `aspects of a woven class see its own calls`() throws {
    let container = try AspectsGuide.till()
    #expect(try container.object("till", as: AspectsGuide.Till.self).sell("Emma") == 8)
    let log = try container.object("auditLog", as: AspectsGuide.AuditLog.self)
    #expect(log.lines == ["price(of: Emma)", "→ 4"])
  }

  @Test func `aspects run around the calls of a library`() throws {
    let container = try AspectsGuide.container()
    let library = try container.object("library", as: AspectsGuide.LibraryProxy.self)
    #expect(try library.lend("Solaris", to: "Ada") == "SOLARIS for Ada!")
    #expect(try library.titles() == ["Solaris"])
    let log = try container.object("auditLog", as: AspectsGuide.AuditLog.self)
    #expect(
      log.lines == [
        "lend(Solaris, to: Ada)", "→ SOLARIS for Ada!", "titles()", "→ [\"Solaris\"]",
      ])
    let builder = ContainerBuilder()
    builder.singleton(named: "library", { AspectsGuide.SmallLibrary() })
    #if Metrics && Tracing
      AspectsGuide.observe(builder)
    #endif
    AspectsGuide.transactions(builder, [Tome.self, Penman.self, Town.self, Stamp.self])
    #expect(builder.check().problems.map(\.description) == [])
  }
}
