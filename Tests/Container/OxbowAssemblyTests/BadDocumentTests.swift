import Dispatch
import Foundation
import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

/// A document that must be refused.
struct BadDocument: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  var limits = DocumentLimits.default
  /// A part of the message.
  let says: String
  var line: Int?

  var testDescription: String { name }

  init(
    _ name: String, _ text: String, limits: DocumentLimits = .default, says: String,
    line: Int? = 1
  ) {
    self.init(name, Array(text.utf8), limits: limits, says: says, line: line)
  }

  init(
    _ name: String, _ bytes: [UInt8], limits: DocumentLimits = .default, says: String,
    line: Int? = 1
  ) {
    (self.name, self.bytes, self.limits, self.says, self.line) = (name, bytes, limits, says, line)
  }

  private static func nested(_ depth: Int, in root: String) -> String {
    "<\(root)>" + String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
      + "</\(root)>"
  }

  static let all = [
    BadDocument("empty", "", says: "no element", line: nil),
    BadDocument("blank", " \n \n", says: "no element", line: nil),
    BadDocument(
      "unclosed", "<container>\n<object id='a' class='A'/>", says: "never closed", line: nil),
    BadDocument("unclosed tag", "<assembly>\n<component", says: "not closed", line: 2),
    BadDocument("wrongly closed", "<container>\n</object>", says: "does not match", line: 2),
    BadDocument("two roots", "<container/>\n<container/>", says: "second root", line: 2),
    BadDocument(
      "duplicate attribute", "<container>\n<object id='a' id='b'/></container>",
      says: "attribute \"id\" is given twice", line: 2),
    BadDocument("DOCTYPE", "<!DOCTYPE container>\n<container/>", says: "DOCTYPE"),
    BadDocument(
      "entities", "<!DOCTYPE a [<!ENTITY x 'y'>]>\n<container>&x;</container>", says: "DOCTYPE"),
    BadDocument(
      "a property list's DOCTYPE in another document", "<!DOCTYPE plist>\n<container/>",
      says: "DOCTYPE"),
    BadDocument(
      "a property list's own declarations", "<!DOCTYPE plist [<!ENTITY x 'y'>]>\n<plist/>",
      says: "DOCTYPE"),
    BadDocument(
      "two DOCTYPEs", "<!DOCTYPE plist>\n<!DOCTYPE plist>\n<plist/>", says: "DOCTYPE", line: 2),
    BadDocument(
      "UTF-16", [0xFF, 0xFE] + Array("<".utf8) + [0], says: "the document is in UTF-16"),
    BadDocument(
      "declared Latin 1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<container/>",
      says: "only UTF-8"),
    BadDocument(
      "bytes that are no UTF-8", Array("<container>\n".utf8) + [0xC3, 0x28], says: "UTF-8", line: 2),
    BadDocument(
      "deeper than 256", nested(256, in: "container"), says: "DocumentLimits.maximumDepth"),
    BadDocument(
      "deeper than allowed", "<container>\n<object>\n<property/></object></container>",
      limits: DocumentLimits(maximumDepth: 2), says: "DocumentLimits.maximumDepth", line: 3),
    BadDocument(
      "larger than allowed", "<container>        </container>",
      limits: DocumentLimits(maximumBytes: 20), says: "DocumentLimits.maximumBytes", line: nil),
    BadDocument(
      "more elements than allowed", "<container>\n<a/>\n<a/>\n</container>",
      limits: DocumentLimits(maximumElements: 2), says: "DocumentLimits.maximumElements", line: 3),
    BadDocument("binary property list", "bplist00", says: "binary property list", line: nil),
    BadDocument(
      "a property list of nothing", "<plist version='1.0'/>", says: "has one value"),
    BadDocument(
      "a property list with a key twice",
      "<plist><dict>\n<key>a</key><true/>\n<key>a</key><true/></dict></plist>", says: "twice",
      line: 3),
  ]
}

@Suite struct BadDocumentTests {
  /// `@unchecked`: written before the semaphore is signalled, read after.
  private final class Result: @unchecked Sendable {
    var problems: [String]?
  }

  private func check(_ error: ContainerError?, _ bad: BadDocument, file: String) {
    #expect(error?.code == .unreadableDocument)
    #expect(error?.problems.count == 1)
    #expect(error?.underlying is DocumentError)
    let problem = error?.problems.first
    #expect(problem?.message == "\"\(file)\" cannot be read")
    #expect(problem?.seen.contains(bad.says) == true, "\(problem?.seen ?? "no problem")")
    if let line = bad.line { #expect(problem?.location?.line == line) }
    #expect(problem?.location.map { $0.file == file } ?? true)
  }

  @Test(arguments: BadDocument.all)
  func `a bad document is refused with its place when it is read`(bad: BadDocument) {
    let error = #expect(throws: ContainerError.self) {
      try AssemblyDocument(bad.bytes, file: "bad.xml", limits: bad.limits)
    }
    check(error, bad, file: "bad.xml")
  }

  @Test(arguments: BadDocument.all)
  func `a bad document is refused by a builder, from a file and from memory`(
    bad: BadDocument
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("bad")
    try Data(bad.bytes).write(to: URL(filePath: path))
    let builder = ContainerBuilder()
    let error = #expect(throws: ContainerError.self) {
      try builder.load(path, limits: bad.limits)
    }
    check(error, bad, file: path)
    if let text = String(validating: bad.bytes, as: UTF8.self) {
      let error = #expect(throws: ContainerError.self) {
        try builder.load(text: text, file: "bad.xml", limits: bad.limits)
      }
      check(error, bad, file: "bad.xml")
    }
    // Nothing of a refused document stays behind.
    #expect(builder.check().problems.isEmpty)
    #expect(builder.check().graph.definitions.isEmpty)
  }

  @Test func `a document of more than 16 megabytes is refused, and read when the limit is raised`()
    throws
  {
    let blanks = [UInt8](repeating: 0x20, count: 16 << 20)
    let bytes = Array("<container>".utf8) + blanks + Array("</container>".utf8)
    let error = #expect(throws: ContainerError.self) {
      try AssemblyDocument(bytes, file: "large.xml")
    }
    #expect(error?.problems.first?.seen.contains("larger than 16777216 bytes") == true)
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(filePath: folder.file("large.xml")))
    let fromFile = #expect(throws: ContainerError.self) {
      try ContainerBuilder().load(folder.file("large.xml"))
    }
    #expect(fromFile?.problems.first?.seen.contains("maximumBytes") == true)
    let raised = DocumentLimits(maximumBytes: 32 << 20)
    #expect(try AssemblyDocument(bytes, file: "large.xml", limits: raised).problems.isEmpty)
  }

  @Test func `256 elements deep is read, and deeper when the limit is raised`() throws {
    func text(_ depth: Int) -> String {
      let lists = depth - 3
      return "<container><object id='a' class='A'><property name='x'>"
        + String(repeating: "<list>", count: lists) + String(repeating: "</list>", count: lists)
        + "</property></object></container>"
    }
    #expect(try document(text(256)).problems.isEmpty)
    #expect(throws: ContainerError.self) { try document(text(257)) }
    let raised = DocumentLimits(maximumDepth: 1024)
    let deep = try AssemblyDocument(Array(text(1024).utf8), file: "deep.xml", limits: raised)
    #expect(deep.problems.isEmpty)
    #expect(AssemblyDocument.structuralProblems(in: [deep]).isEmpty)
  }

  @Test(arguments: [
    (
      "<container><object id='a' class='A'><property name='x'>", "<list>", "</list>",
      "</property></object></container>"
    ),
    (
      "<container><object id='a' class='A'>", "<property name='x'><object class='A'>",
      "</object></property>", "</object></container>"
    ),
    (
      "<assembly><component key='a' class='A'>", "<property name='x'><component class='A'>",
      "</component></property>", "</component></assembly>"
    ),
    (
      "<plist><dict><key>objects</key><dict><key>a</key><dict><key>class</key><string>A</string>"
        + "<key>properties</key><dict><key>x</key>", "<array>", "</array>",
      "</dict></dict></dict></dict></plist>"
    ),
  ])
  func `documents of the usual depth are read and checked on two megabytes of stack`(
    head: String, open: String, close: String, tail: String
  ) throws {
    let levels = (DocumentLimits.default.maximumDepth - 8) / open.count(where: { $0 == "<" })
    let text =
      head + String(repeating: open, count: levels) + String(repeating: close, count: levels)
      + tail
    let result = Result()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      if let deep = try? AssemblyDocument(Array(text.utf8), file: "deep") {
        let problems = deep.problems + AssemblyDocument.structuralProblems(in: [deep])
        result.problems = problems.map(\.short)
      }
      done.signal()
    }
    thread.stackSize = (isSanitized ? 16 : 2) << 20
    thread.start()
    done.wait()
    #expect(result.problems == [])
  }

  @Test func `a document of nothing but mistakes keeps the first thousand`() throws {
    let text = "<container>" + String(repeating: "<objekt/>\n", count: 5_000) + "</container>"
    let problems = try document(text).problems
    #expect(problems.count == 1_001)
    #expect(problems[999].location?.line == 1_000)
    #expect(problems.last?.message == "4000 more problems are not listed")
  }

  @Test func `a file that is not there is named`() {
    let error = #expect(throws: ContainerError.self) {
      try AssemblyDocument(contentsOf: "/nowhere/context.xml")
    }
    #expect(error?.code == .unreadableDocument)
    #expect(error?.problems.first?.seen.contains("/nowhere/context.xml") == true)
  }

  @Test func `a document of none of the kinds says which there are`() throws {
    let problems = try document("<assemblies/>").problems
    #expect(problems.map(\.short) == ["1:1: the document is not a container"])
    #expect(problems.first?.nearNames == ["assembly"])
    #expect(try document("<beans/>").dialect == "unknown")
  }
}
