import Foundation
import OxbowContainer
import Testing

@Suite struct ValueConverterTests {
  private let values = ValueConverters()

  private func convert<V>(_ text: String, _ type: V.Type) -> V? {
    try? values.convert(text, to: type)
  }

  /// What a conversion that fails says it expects.
  private func expectation<V>(_ text: String, _ type: V.Type, _ values: ValueConverters) -> String {
    do {
      _ = try values.convert(text, to: type)
      return "converted"
    } catch .notConvertible(let expected) {
      return expected.description
    } catch {
      return "\(error)"
    }
  }

  @Test func `TY-27 a text without a meaning is refused where anything is taken`() {
    let values = ValueConverters()
    #expect((try? values.convert("12", to: Any.self, called: "int")) as? Int == 12)
    for name in ["int", "NSNumber", "NSURL"] {
      #expect(throws: ValueConverters.Failure.self, "\(name)") {
        _ = try values.convert("", to: Any.self, called: name)
      }
    }
  }

  @Test func `OX-09 integers of every width, exactly`() {
    #expect(convert("-9223372036854775808", Int.self) == .min)
    #expect(convert("127", Int8.self) == 127)
    #expect(convert("128", Int8.self) == nil)
    #expect(convert("-32768", Int16.self) == -32768)
    #expect(convert("2147483647", Int32.self) == .max)
    #expect(convert("9223372036854775807", Int64.self) == .max)
    #expect(convert("18446744073709551615", UInt.self) == .max)
    #expect(convert("255", UInt8.self) == 255)
    #expect(convert("-1", UInt8.self) == nil)
    #expect(convert("65535", UInt16.self) == 65535)
    #expect(convert("4294967295", UInt32.self) == .max)
    #expect(convert("18446744073709551615", UInt64.self) == .max)
    #expect(convert("12 ", Int.self) == nil)
    #expect(convert("1.0", Int.self) == nil)
    #expect(convert("", Int.self) == nil)
  }

  @Test func `TY-27 numbers with a point, and no silent infinity`() {
    #expect(convert("2.5", Double.self) == 2.5)
    #expect(convert("2,5", Double.self) == nil)
    #expect(convert("1e400", Double.self) == nil)
    #expect(convert("1e39", Float.self) == nil)
    #expect(convert("inf", Double.self) == .infinity)
    #expect(convert("0.1", Decimal.self) == Decimal(string: "0.1"))
    #expect(convert("-12.5e3", Decimal.self) == Decimal(-12500))
    for wrong in ["12abc", "1.2.3", "", ".", "-", "e5", "1e", "1,5"] {
      #expect(convert(wrong, Decimal.self) == nil, "\(wrong)")
    }
  }

  @Test func `TY-27 texts, booleans and characters`() {
    #expect(convert(" as it is ", String.self) == " as it is ")
    #expect(convert("true", Bool.self) == true)
    #expect(convert("false", Bool.self) == false)
    #expect(convert("YES", Bool.self) == true)
    #expect(convert("no", Bool.self) == false)
    #expect(convert("1", Bool.self) == true)
    #expect(convert("é", Character.self) == "é")
    #expect(convert("ab", Character.self) == nil)
  }

  @Test func `TY-27 URLs, bytes, dates and identifiers`() throws {
    #expect(convert("https://example.org/a", URL.self)?.host() == "example.org")
    #expect(convert("data/store.db", URL.self)?.isFileURL == true)
    #expect(convert("/tmp/x", URL.self)?.path == "/tmp/x")
    #expect(convert("", URL.self) == nil)
    #expect(convert("T3hib3c=", Data.self) == Data("Oxbow".utf8))
    #expect(convert("!", Data.self) == nil)
    let id = "1B4E28BA-2FA1-11D2-883F-0016D3CCA427"
    #expect(convert(id, UUID.self) == UUID(uuidString: id))
    #expect(convert("x", UUID.self) == nil)
    #expect(
      convert("2024-05-01T12:00:00Z", Date.self) == Date(timeIntervalSince1970: 1_714_564_800))
    #expect(
      convert("2024-05-01T12:00:00.500Z", Date.self)
        == Date(timeIntervalSince1970: 1_714_564_800.5))
    #expect(convert("2024-05-01", Date.self) == Date(timeIntervalSince1970: 1_714_521_600))
    for wrong in ["yesterday", "2024-05-01T12:00:00Z and more", "2024-05-01 and more", ""] {
      #expect(convert(wrong, Date.self) == nil, "\(wrong)")
    }
  }

  @Test func `TY-27 dates that do not exist are refused, and not counted on`() {
    #expect(convert("2024-02-29", Date.self) == Date(timeIntervalSince1970: 1_709_164_800))
    for wrong in [
      "2024-02-30", "2023-02-29T12:00:00Z", "1900-02-29", "2024-04-31T00:00:00Z",
      "2024-05-01T25:00:00Z", "2024-05-01T12:60:00Z", "2024-05-01T12:00:61Z", "2024-05-00",
    ] {
      #expect(convert(wrong, Date.self) == nil, "\(wrong)")
    }
  }

  @Test func `TY-27 what cannot be kept whole is refused`() {
    let digits = "12345678901234567890123456789012345678"
    #expect(convert(digits, Decimal.self).map { "\($0)" } == digits)
    #expect(convert("000.\(digits)000", Decimal.self).map { "\($0)" } == "0.\(digits)")
    #expect(convert("\(digits)9", Decimal.self) == nil)
    #expect(convert("====", Data.self) == nil)
    #expect(convert("AA==", Data.self)?.count == 1)
    let values = ValueConverters()
    #expect((try? values.convert("1.5", to: Any.self, called: "NSNumber")) as? Double == 1.5)
    #expect((try? values.convert("1e999", to: Any.self, called: "NSNumber")) == nil)
  }

  @Test func `TY-27 optionals and raw values`() {
    enum Colour: String, CaseIterable { case red, green }
    struct Level: RawRepresentable { let rawValue: Int }
    #expect(convert("7", Int?.self) == .some(.some(7)))
    #expect(convert("green", Colour.self) == .green)
    #expect(convert("green", Colour?.self) == .some(.some(.green)))
    #expect(convert("3", Level.self)?.rawValue == 3)
    do throws(ValueConverters.Failure) {
      _ = try values.convert("gren", to: Colour.self)
      Issue.record("converted")
    } catch {
      guard case .notConvertible(let expected) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(expected.description == "one of \"red\", \"green\"")
      #expect(expected.near == ["green"])
    }
  }

  @Test func `TY-27 a builder's own converter goes first; without any there is an error`() {
    struct Point: Sendable { let x: Int }
    var values = ValueConverters()
    #expect(!values.converts(to: Point.self))
    #expect(throws: ValueConverters.Failure.self) { try values.convert("1", to: Point.self) }
    values.register(Point.self, expected: "a number") { Int($0).map(Point.init) }
    #expect((try? values.convert("4", to: Point.self))?.x == 4)
    values.register(Bool.self, expected: "yes or no") { ["yes": true, "no": false][$0] }
    #expect((try? values.convert("yes", to: Bool.self)) == true)
  }

  @Test func `TY-27 JSON becomes values of a Codable type, and what is wrong with it is said`() {
    struct Point: Codable, Sendable, Equatable {
      let x: Int
      let name: String
    }
    var values = ValueConverters()
    values.registerJSON(Point.self)
    values.registerJSON([Int].self)
    let failure = { [values] (text: String) in expectation(text, Point.self, values) }
    #expect(
      (try? values.convert(#"{"x": 1, "name": "a"}"#, to: Point.self)) == Point(x: 1, name: "a"))
    #expect((try? values.convert("[1, 2]", to: [Int]?.self)) == [1, 2])
    #expect(failure(#"{"x": 1}"#) == "JSON of a Point (\"name\" is missing)")
    #expect(failure(#"{"x": "1", "name": "a"}"#) == "JSON of a Point (\"x\" is not an Int)")
    #expect(failure("{").hasPrefix("JSON of a Point ("))
  }

  @Test
  func `TY-27 conversions belong to a builder, and a property of class type takes a class's name`()
    throws
  {
    final class Register: Component {
      var type: AnyClass?
      var other: any Any.Type = Int.self
      nonisolated static var componentDescriptor: ComponentDescriptor {
        ComponentDescriptor(
          Register.self, name: "Register", sendability: .of(), product: .of(),
          initializers: [InitializerDescriptor { Register() }],
          properties: [
            .property(
              "type", AnyClass.self, typeName: "AnyClass?", sendability: .of(), isOptional: true,
              accepts: { _ in false }, set: { $0.type = $1 }),
            .property(
              "other", AnyType.self, typeName: "any Any.Type", sendability: .of(),
              accepts: { _ in false }, set: { $0.other = $1 }),
          ])
      }
      typealias AnyType = any Any.Type
    }
    let builder = ContainerBuilder.ofTests()
    builder.register(Register.self)
    builder.add(
      ObjectDefinition(
        "register", class: "Register", scope: "prototype",
        properties: [.value("type", "Knight"), .value("other", "Grail")]))
    let register = try builder.build().object("register", as: Register.self)
    #expect(register.type.map { ObjectIdentifier($0) } == ObjectIdentifier(Knight.self))
    #expect(ObjectIdentifier(register.other) == ObjectIdentifier(Grail.self))
    let one = ContainerBuilder()
    one.values.register(Bool.self, expected: "on or off") { ["on": true, "off": false][$0] }
    #expect((try? one.values.convert("on", to: Bool.self)) == true)
    #expect((try? ContainerBuilder().values.convert("on", to: Bool.self)) == nil)
  }
}
