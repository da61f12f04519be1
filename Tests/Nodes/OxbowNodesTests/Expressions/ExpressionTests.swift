import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

@Suite struct ExpressionTests {
  @Test(arguments: [
    ("1", 1.0), ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("10 - 4 - 3", 3), ("12 / 4 / 3", 1),
    ("2 × 3 ÷ 4 − 1", 0.5), ("-2 * -3", 6), ("- - 2", 2), ("+1", 1), ("1.5e2", 150), ("2E-1", 0.2),
    (".5 + 5.", 5.5), (" 1\t+\n1 ", 2), ("-(2 + 1)", -3), ("2e", 0), ("0.1 + 0.2", 0.1 + 0.2),
    ("1000000 - 0.01", 999_999.99),
  ])
  func `SC-36 numbers are expressions`(text: String, value: Double) throws {
    guard text != "2e" else {
      // An exponent without digits is a name behind a number.
      #expect(nodeError { _ = try NumericExpression.value(of: text) }?.code == .invalidExpression)
      return
    }
    #expect(try NumericExpression.value(of: text) == value)
  }

  @Test(arguments: [
    ("", NodeError.Code.invalidExpression, 1, "a number is missing"),
    ("1 +", .invalidExpression, 4, "a number is missing"),
    ("1 2", .invalidExpression, 3, "an operator is expected, not \"2\""),
    ("(1 + 2", .invalidExpression, 2, "the parenthesis before this is not closed"),
    ("1)", .invalidExpression, 2, "an operator is expected, not \")\""),
    ("1 * ?", .invalidExpression, 5, "a number is expected, not \"?\""),
    ("1 / (2 - 2)", .arithmetic, 5, "the division is by zero"),
    ("1e300 * 1e300", .arithmetic, 9, "the number is too large"),
    ("1e999", .arithmetic, 1, "the number is too large"),
    ("2 + widht", .unknownSymbol, 5, "\"widht\" is not the name of a number here"),
    ("1..2", .invalidExpression, 3, "an operator is expected, not \".\""),
    (".", .invalidExpression, 1, "\".\" is not a number"),
  ])
  func `SC-36 what is not an expression is an error with its column`(
    text: String, code: NodeError.Code, column: Int, message: String
  ) throws {
    let error = nodeError { _ = try NumericExpression.value(of: text) }
    #expect(error?.code == code)
    #expect(error?.message == "\"\(text)\", column \(column): \(message)")
  }

  @Test func `SC-36 long and deep expressions do not overflow the stack`() throws {
    let long = Array(repeating: "1", count: 100_000).joined(separator: "+")
    #expect(try NumericExpression.value(of: long) == 100_000)
    for sign in ["(", "-", "+"] {
      let deep = String(repeating: sign, count: 100_000)
      #expect(nodeError { _ = try NumericExpression.value(of: deep) }?.code == .tooLarge)
    }
  }

  /// A random expression with the value that it must have; nil where it divides by zero.
  private func random(
    _ depth: Int, _ random: inout SeededRandom
  ) -> (text: String, precedence: Int, value: Double?) {
    if depth == 0 || random.chance(20) {
      let number = Int.random(in: 0...40, using: &random)
      return ("\(number)", 3, Double(number))
    }
    if random.chance(15) {
      let inner = self.random(depth - 1, &random)
      return (
        "-" + (inner.precedence < 3 ? "(\(inner.text))" : inner.text), 2, inner.value.map { -$0 }
      )
    }
    let sign = ["+", "-", "*", "/"].randomElement(using: &random) ?? "+"
    let precedence = "+-".contains(sign) ? 0 : 1
    let left = self.random(depth - 1, &random)
    let right = self.random(depth - 1, &random)
    let leftText = left.precedence < precedence ? "(\(left.text))" : left.text
    let rightText = right.precedence <= precedence ? "(\(right.text))" : right.text
    var value: Double?
    if let a = left.value, let b = right.value {
      switch sign {
      case "+": value = a + b
      case "-": value = a - b
      case "*": value = a * b
      default: value = b == 0 ? nil : a / b
      }
    }
    let blank = random.chance(50) ? " " : ""
    return ("\(leftText)\(blank)\(sign)\(blank)\(rightText)", precedence, value)
  }

  @Test func `SC-36 random expressions have the value of the tree that they were written from`()
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<2000 {
      let (text, _, value) = self.random(6, &random)
      let found = try? NumericExpression.value(of: text)
      let isSame = found == value || (value?.isFinite == false && found == nil)
      #expect(isSame, "seed \(seed): \(text) is \(String(describing: found))")
    }
  }

  // MARK: - Geometry

  /// The frame of the second of three views in a window of 400 × 300.
  private func frame(_ attributes: String) throws -> NodeRect {
    let tree = try Fixture().launch(
      views: """
        {"frame": "{{10, 20}, {30, 40}}"}, {\(attributes)}, {"size": "{8, 6}", "origin": "{100, 90}"}
        """)
    return try #require(tree.root?.children[1] as? ViewNode).frame
  }

  @Test(arguments: [
    (#""size": "{100, 50}""#, 0.0, 0.0, 100.0, 50.0),
    (#""center": "{center, middle - 100}""#, 200, 50, 0, 0),
    (#""size": "{100, 50}", "center": "{left, top}""#, 0, 0, 100, 50),
    (#""size": "{100, 50}", "center": "{right, bottom}""#, 300, 250, 100, 50),
    (#""size": "{100, 50}", "origin": "{right - 10, middle}""#, 290, 125, 100, 50),
    (#""size": "{screen.width / 2, screen.height}""#, 0, 0, 200, 300),
    (#""size": "{parent.width, 10}", "origin": "{self.width, parent.height}""#, 400, 300, 400, 10),
    (#""origin": "{previousSibling.x + previousSibling.width, previousSibling.y}""#, 40, 20, 0, 0),
    (
      #""size": "{nextSibling.width, nextSibling.height}", "origin": "{nextSibling.x, nextSibling.y}""#,
      100, 90, 8, 6
    ),
    (#""frame": "{{1, 2}, {3, 4}}""#, 1, 2, 3, 4), (#""frame": "1, 2, 3, 4""#, 0, 0, 0, 0),
    (#""size": "{1, 2}", "anchorPoint": "{1, 1}", "position": "{11, 12}""#, 10, 10, 1, 2),
    (#""frame": "ToFill""#, 0, 0, 400, 300),
    (#""size": "{40, 40}", "frame": "AspectFit""#, 50, 0, 300, 300),
    (#""size": "{40, 40}", "frame": "AspectFill""#, 0, -50, 400, 400),
    (#""size": "{40, 30}", "frame": "BottomRight""#, 360, 270, 40, 30),
    (#""size": "{40, 30}", "frame": "TopRight""#, 360, 0, 40, 30),
    (#""size": "{40, 30}", "frame": "BottomLeft""#, 0, 270, 40, 30),
    (#""size": "{40, 30}", "frame": "Center""#, 180, 135, 40, 30),
    (#""size": "ToFit""#, 0, 0, 0, 0), (#""size": "{1 / 3, (1, 2)}""#, 0, 0, 0, 0),
  ])
  func `SC-37 geometry is written in braces, with words`(
    attributes: String, x: Double, y: Double, width: Double, height: Double
  ) throws {
    // A rectangle needs its braces, a parenthesis holds one number.
    if attributes.contains("1, 2, 3, 4") || attributes.contains("(1, 2)") {
      #expect(nodeError { _ = try frame(attributes) } != nil)
      return
    }
    let found = try frame(attributes)
    #expect(
      found
        == NodeRect(origin: NodePoint(x: x, y: y), size: NodeSize(width: width, height: height)))
  }

  @Test(arguments: [
    (#""size": "{1, 2, 3}""#, "\"size\": \"{1, 2, 3}\" has 3 components; 2 are expected"),
    (#""size": "{1, 2""#, "\"size\": \"{1, 2\", column 6: a brace is not closed"),
    (#""size": "{1, 2}}""#, "\"size\": \"{1, 2}}\", column 7: \"}\" closes nothing"),
    (#""size": "{1, 2} 3""#, "\"size\": \"{1, 2} 3\", column 8: \",\" is expected, not \"3\""),
    (#""size": "{1, 2 +}""#, "\"size\": \"{1, 2 +}\", column 8: a number is missing"),
    (
      #""size": "{1, -2}""#,
      "\"size\": {1.0, -2.0} is not a size; width and height cannot be negative"
    ),
    (#""size": 5"#, "\"size\": \"5\" is not accepted here; expected: a size {width, height}"),
    (
      #""center": "{centre, 1}""#,
      "\"center\": \"{centre, 1}\", column 2: \"centre\" is not the name of a number here"
    ),
    (
      #""center": "{1, center}""#,
      "\"center\": \"{1, center}\", column 5: \"center\" is not the name of a number here"
    ),
  ])
  func `SC-37 geometry that is none is an error with its column`(
    attributes: String, message: String
  ) throws {
    let error = nodeError { _ = try frame(attributes) }
    #expect(error?.message == message)
    #expect(error?.location?.line == 1)
    if attributes.contains("centre") { #expect(error?.nearNames == ["center"]) }
  }

  @Test func `SC-37 the order of siblings does not matter, and a circle is an error`() throws {
    let fixture = try Fixture()
    let tree = try fixture.launch(
      views: """
        {"origin": "{nextSibling.x + 1, 0}"}, {"origin": "{nextSibling.x + 1, 0}"}, {"origin": "{5, 0}"}
        """)
    #expect(tree.root?.children.compactMap { ($0 as? ViewNode)?.frame.origin.x } == [7, 6, 5])
    let views = Array(repeating: #"{"origin": "{nextSibling.x + 1, 0}"}"#, count: 5000)
    #expect(fixture.error(views: (views + ["{}"]).joined(separator: ","))?.code == .tooLarge)
    let circle = fixture.error(
      views: #"{"origin": "{nextSibling.x, 0}"}, {"origin": "{previousSibling.x, 0}"}"#)
    #expect(circle?.code == .cyclicGeometry)
    #expect(fixture.error(views: #"{"origin": "{nextSibling.x, 0}"}"#)?.code == .unknownSymbol)
  }

  // MARK: - Colours and words

  private func color(_ json: String, _ compatibility: NodeCompatibility = []) throws -> NodeColor {
    var fixture = try Fixture()
    fixture.environment.compatibility = compatibility
    let tree = try fixture.launch(views: "{\"Class\": \"Label\", \"color\": \(json)}")
    return try #require(tree.root?.children.first as? Label).color
  }

  @Test(arguments: [
    (#""{255, 0, 51}""#, [1, 0, 0.2, 1]), (#""{0, 0, 0, 0.5}""#, [0, 0, 0, 0.5]),
    (#""{0, 0, 0, 51}""#, [0, 0, 0, 0.2]), (#""0xFF0033""#, [1, 0, 0.2, 1]),
    (#""0xff0033, 0.5""#, [1, 0, 0.2, 0.5]), (#""clear""#, [0, 0, 0, 0]),
    (#""clearColor""#, [0, 0, 0, 0]),
    (#"{"red": 255, "green": "51 * 2", "blue": 0}"#, [1, 0.4, 0, 1]),
    (#"{"red": 0, "green": 0, "blue": 0, "alpha": 102}"#, [0, 0, 0, 0.4]),
  ])
  func `SC-38 colours are tuples, numbers, words and dictionaries`(
    json: String, parts: [Double]
  ) throws {
    let color = try color(json)
    #expect([color.red, color.green, color.blue, color.alpha] == parts)
  }

  @Test(arguments: [
    #""{256, 0, 0}""#, #""{0, 0}""#, #""0xFF00""#, #""red""#, #""0xGG0000""#, "7", #"{"red": 1}"#,
    #"{"red": 1, "green": 1, "bleu": 1}"#, #""{-1, 0, 0}""#, #""not clear at all""#, #""""#,
  ])
  func `SC-38 a colour that is none is an error`(json: String) throws {
    let error = nodeError { _ = try color(json) }
    #expect(error?.code == .invalidValue)
    #expect(error?.location != nil)
    if json.contains("bleu") { #expect(error?.nearNames == ["blue"]) }
  }

  @Test func `SC-39 words are matched exactly, and by their parts in compatibility`() throws {
    let fixture = try Fixture()
    let text = #"{"frame": "UIViewContentModeBottomRight", "size": "{1, 1}"}"#
    let error = fixture.error(views: text)
    #expect(error?.code == .invalidValue)
    #expect(fixture.error(views: #"{"frame": "BotomRight"}"#)?.nearNames.first == "BottomRight")
    var old = fixture
    old.environment.compatibility = .wordsBySubstring
    let tree = try old.launch(views: text)
    #expect((tree.root?.children.first as? ViewNode)?.frame.origin == NodePoint(x: 399, y: 299))
    #expect(try color(#""not clear at all""#, .wordsBySubstring) == .clear)
    // Exactly goes first, though a shorter word comes earlier in the declaration.
    #expect(NodePlacement.allCases.first { "BottomRight".contains($0.rawValue) } == .bottomRight)
    let context = NodeValueContext(compatibility: .wordsBySubstring)
    #expect(try Order.convert("ab", in: context) == .ab)
    #expect(try Order.convert("xab", in: context) == .a)
  }
}

private enum Order: String, CaseIterable, NodeConvertible {
  case a
  case ab
}
