import Foundation
import OxbowRuntime

#if canImport(FoundationXML)
  import FoundationXML
#endif

extension SuiteK {
  /// XML read, validated and planned, against `XMLParser` with a delegate that does nothing; for
  /// each component of the file.
  static func documentCases() throws -> [Case] {
    [500, 1000, 2000, 4000].flatMap { count in
      let text = document(of: count)
      let data = Data(text.utf8)
      let baseline = { (rounds: Int) in for _ in 0..<rounds { try parse(data) } }
      return [
        Case("xml-\(count)", against: "XMLParser", target: "≤ 2", operations: count) {
          for _ in 0..<$0 { try check(text, count) }
        } theirs: {
          try baseline($0)
        },
        Case("xml-\(count)-build", against: "XMLParser", target: "–", operations: count) {
          for _ in 0..<$0 { try build(text, count) }
        } theirs: {
          try baseline($0)
        },
      ]
    }
  }

  /// Reads, validates and plans.
  private static func check(_ text: String, _ count: Int) throws {
    let report = try loaded(text).check()
    guard report.problems.isEmpty else {
      throw BenchmarkFailure(description: "\(report.problems)")
    }
  }

  /// Reads, validates, plans, links, and lets go of the container.
  private static func build(_ text: String, _ count: Int) throws {
    let container = try loaded(text).build()
    guard container.contains("service\(count - 1)") else {
      throw BenchmarkFailure(description: "the container lacks objects")
    }
  }

  private static func loaded(_ text: String) throws -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.register(Service.self)
    try builder.load(text: text)
    return builder
  }

  private static func parse(_ data: Data) throws {
    let parser = XMLParser(data: data)
    let delegate = SilentDelegate()
    parser.delegate = delegate
    guard parser.parse() else { throw BenchmarkFailure(description: "XMLParser gave up") }
  }

  /// Services with two values and, but for the first, two references to earlier ones.
  private static func document(of count: Int) -> String {
    let objects = (0..<count).map { number in
      let references =
        number == 0
        ? []
        : [("store", number / 2), ("journal", number / 3)].map {
          "    <property name=\"\($0.0)\" ref=\"service\($0.1)\"/>"
        }
      let lines = [
        "  <object id=\"service\(number)\" class=\"Service\">",
        "    <property name=\"title\" value=\"Service number \(number)\"/>",
        "    <property name=\"size\" value=\"\(number)\"/>",
      ]
      return (lines + references + ["  </object>"]).joined(separator: "\n")
    }
    return "<container>\n\(objects.joined(separator: "\n"))\n</container>\n"
  }
}

private final class SilentDelegate: NSObject, XMLParserDelegate {}

/// Sendable by argument: no code constructs one, the cases stop before that.
private final class Service: @unchecked Sendable {
  var title = ""
  var size = 0
  var store: Service?
  var journal: Service?
}

extension Service: Component {
  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Service.self, name: "Service", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Service() }],
      properties: [
        .property(
          "title", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.title = $1 }),
        .property(
          "size", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
          set: { $0.size = $1 }),
        .property(
          "store", Service.self, typeName: "Service", sendability: .of(), isOptional: true,
          accepts: { $0 is Service.Type }, set: { $0.store = $1 }),
        .property(
          "journal", Service.self, typeName: "Service", sendability: .of(), isOptional: true,
          accepts: { $0 is Service.Type }, set: { $0.journal = $1 }),
      ])
  }
}
