import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct StructureTests {
  private func problems(_ texts: String...) throws -> [String] {
    try AssemblyDocument.structuralProblems(in: texts.map { try document($0) }).map(\.short)
  }

  @Test func `references, repeats and names are checked across files`() throws {
    let first = try document(
      """
      <container>
        <object id="a" class="A"><property name="b" ref="bb"/></object>
        <object id="b" class="A"><property name="a" ref="a"/><property name="a" value="1"/></object>
        <object id="a" class="A"/>
        <object id="d" class="A"><property name="c" ref="c"/></object>
      </container>
      """)
    let second = try document("<container><object id='c' class='A'/></container>")
    let problems = AssemblyDocument.structuralProblems(in: [first, second])
    #expect(
      problems.map(\.code) == [.missingReference, .invalidDefinition, .duplicateDefinition])
    #expect(problems[0].nearNames == ["a", "b", "c", "d"].filter { $0 == "b" })
    #expect(problems.map(\.location?.line) == [2, 3, 4])
    #expect(AssemblyDocument.structuralProblems(in: [second]).isEmpty)
  }

  @Test func `review D28: a placeholder without an end and a name with one need no class`() throws {
    #expect(
      try problems(
        """
        <container>
          <object id="a" class="${impl}" scope="${scope}"><property name="b" ref="${which}"/></object>
          <object id="b" class="A"><property name="t" value="${unclosed"/></object>
          <object id="c" class="A"><property name="t" value="$${fine} ${x:{}}"/></object>
        </container>
        """
      ).count == 1)
  }

  @Test func `names that code defines are no problem`() throws {
    let document = try document(
      """
      <container>
        <object id="a" class="A"><property name="b" ref="clock"/></object>
        <object id="b" class="A"><property name="b" ref="clcok"/></object>
        <alias name="watch" of="clock"/>
        <object id="log" class="A"/>
      </container>
      """)
    let problems = AssemblyDocument.structuralProblems(in: [document], defined: ["clock", "log"])
    #expect(problems.map(\.code) == [.missingReference, .duplicateDefinition])
    #expect(problems.map(\.location?.line) == [3, 5])
  }

  @Test func `aliases have their targets, ends and names`() throws {
    let text = """
      <container>
        <object id="a" class="A"><property name="b" ref="other"/></object>
        <alias name="other" of="a"/>
        <alias name="third" of="other"/>
        <alias name="lost" of="nowhere"/>
        <alias name="x" of="y"/>
        <alias name="y" of="x"/>
        <alias name="a" of="other"/>
        <alias name="half"/>
      </container>
      """
    let found = AssemblyDocument.structuralProblems(in: [try document(text)])
    #expect(
      found.map { "\($0.code.rawValue) \($0.location?.line ?? 0)" }.sorted() == [
        "duplicateDefinition 8", "missingReference 5", "missingReference 6",
        "unexpectedMarkup 9",
      ])
  }

  @Test func `references are found wherever they are`() throws {
    #expect(
      try problems(
        """
        <container>
          <object id="a" class="A" parent="q">
            <initializer method="init(x:)"><argument name="x" ref="r"/></initializer>
            <property name="l"><list>
              <ref>a</ref>
              <ref>s</ref>
              <list>
                <ref>t</ref></list>
            </list></property>
            <property name="m"><map>
              <entry key="k" ref="u"/>
              <entry key="k" ref="a"/></map></property>
            <property name="o"><object class="A">
              <property name="p" ref="v"/>
              <property name="p" value="1"/></object></property>
            <product>
              <property name="p" ref="w"/></product>
          </object>
          <object id="b" factory="x">
            <initializer method="make"/></object>
        </container>
        """) == [
          "2:3: object \"a\": there is no parent \"q\"",
          "3:36: object \"a\", initializer argument \"x\": there is no object named \"r\"",
          "6:7: object \"a\", property \"l\", element 2: there is no object named \"s\"",
          "8:9: object \"a\", property \"l\", element 3, element 1: there is no object named \"t\"",
          "12:7: object \"a\", property \"m\", key \"k\" is set twice",
          "11:7: object \"a\", property \"m\", key \"k\": there is no object named \"u\"",
          "14:7: object \"a\", property \"o\", property \"p\": there is no object named \"v\"",
          "15:7: object \"a\": property \"p\" is set twice",
          "17:7: object \"a\", product property \"p\": there is no object named \"w\"",
          "19:3: object \"b\", factory component: there is no object named \"x\"",
        ])
  }

  @Test func `IV-12 aspects are objects, and their joinpoints name classes as the weaver does`()
    throws
  {
    #expect(
      try problems(
        """
        <container>
          <aop:config>
            <aspect id="log" class="Log">
              <joinpoint expression="class||Worker||(run)"/>
              <joinpoint expression="class||Inner||(run)"/>
              <joinpoint expression="class||Company.Clerk||(run)"/>
              <joinpoint expression="class||Boss||(run)"/>
            </aspect>
            <aspect id="clerk" class="Log"/>
          </aop:config>
          <entity id="worker" class="Company.Worker">
            <property name="log" ref="log"/>
          </entity>
          <entity id="clerk" class="Clerk"/>
        </container>
        """,
        """
        <container>
          <object id="o" class="A"><property name="i"><object class="Inner"/></property></object>
        </container>
        """) == [
          "7:7: aspect \"log\": no object is of class \"Boss\"",
          "9:5: object \"clerk\" is defined twice",
        ])
  }

  @Test func `TY-21 parents must exist, end, and give a class`() throws {
    #expect(
      try problems(
        """
        <container>
          <object id="a" parent="b"/>
          <object id="b" parent="c"/>
          <object id="c" parent="a"/>
          <object id="into" parent="a"/>
          <object id="self" class="A" parent="self"/>
          <object id="bare" abstract="true"/>
          <object id="noClass" parent="bare"/>
          <object id="noClassEither" parent="noClass"/>
          <object id="given" parent="good"/>
          <object id="good" class="A" parent="bare"/>
          <object id="lost" parent="nowhere"/>
          <object id="lostToo" parent="lost"/>
        </container>
        """) == [
          "2:3: object \"a\" is its own parent",
          "6:3: object \"self\" is its own parent",
          "8:3: object \"noClass\" has no class",
          "9:3: object \"noClassEither\" has no class",
          "12:3: object \"lost\": there is no parent \"nowhere\"",
        ])
    let circle = AssemblyDocument.structuralProblems(in: [
      try document(
        "<container><object id='b' parent='a'/><object id='a' parent='b'/></container>")
    ])
    #expect(circle.map(\.seen) == ["\"a\" → \"b\" → \"a\""])
  }

  @Test func `TY-21 an abstract definition makes no object to refer to`() throws {
    let found = AssemblyDocument.structuralProblems(in: [
      try document(
        """
        <container>
          <object id="a" class="A" abstract="true"/>
          <object id="b" parent="a"><property name="x" ref="a"/></object>
          <object id="c" factory="a"><initializer method="make"/></object>
        </container>
        """)
    ])
    #expect(
      found.map(\.short) == [
        "3:29: object \"b\", property \"x\": definition \"a\" makes no object",
        "4:3: object \"c\", factory component: definition \"a\" makes no object",
      ])
    #expect(
      found.first?.description == """
        object "b", property "x": definition "a" makes no object
           at: context.xml:3:29
           seen: a reference to "a", which is abstract
           expected: a definition that is not abstract
           next: refer to a definition that has "a" as its parent
        """)
  }

  @Test func `a chain of parents and a crowd of wrong references are checked in good time`() throws
  {
    let count = 20_000
    var text = "<container>"
    for number in 0..<count {
      text += "<object id='o\(number)' parent='o\(number + 1)'>"
      text += "<property name='x' ref='missing\(number)'/></object>"
    }
    let document = try document(text + "<object id='o\(count)' class='A'/></container>")
    let clock = ContinuousClock()
    var problems: [ContainerError.Problem] = []
    let time = clock.measure {
      problems = AssemblyDocument.structuralProblems(in: [document])
    }
    #expect(problems.count == 1_001)
    #expect(problems.last?.message == "\(count - 1_000) more problems are not listed")
    #expect(time < .seconds(30))
  }

  @Test func `the samples have a sound structure as they are`() throws {
    guard Samples.folder != nil else {
      print(Samples.absence)
      return
    }
    let paths = Samples.paths(below: "assemblies") { $0.hasSuffix(".xml") }
    #expect(paths.count >= 4)
    for path in paths {
      let document = try AssemblyDocument(contentsOf: path)
      #expect(!document.definitions.isEmpty)
      #expect(
        AssemblyDocument.structuralProblems(in: [document]).map(\.description) == [], "\(path)")
    }
  }

  // MARK: - Planted defects

  /// The sound example of a kind, and the samples of the kind when they are there.
  private func texts(_ kind: SoundDocument) throws -> [String] {
    guard let samples = kind.samples, Samples.folder != nil else { return [kind.text] }
    let paths = Samples.paths(below: "assemblies/\(samples)") { $0.hasSuffix(".xml") }
    return try [kind.text]
      + paths.map { try String(contentsOf: URL(filePath: $0), encoding: .utf8) }
  }

  /// All problems of a text, whether it can be read or not.
  private func findings(_ text: String) -> [ContainerError.Problem] {
    do {
      return AssemblyDocument.structuralProblems(in: [try document(text, file: "copy.xml")])
    } catch {
      return (error as? ContainerError)?.problems ?? []
    }
  }

  @Test(arguments: SoundDocument.all)
  func `each planted defect is found at the start of its element`(kind: SoundDocument) throws {
    if Samples.folder == nil { print(Samples.absence) }
    for (number, text) in try texts(kind).enumerated() {
      #expect(findings(text).map(\.short) == [])
      var planted = 0
      for defect in kind.defects {
        guard let (changed, start) = defect.plant(text) else {
          // A sample need not have the place of every defect; our own examples have.
          #expect(number > 0, "\(kind.dialect): \(defect.what)")
          continue
        }
        planted += 1
        let line = changed[..<start].count(where: \.isNewline) + 1
        let found = findings(changed)
        #expect(
          found.contains {
            $0.message.contains(defect.what) && $0.location?.line == line
              && $0.location?.file == "copy.xml"
          }, "\(kind.dialect): \(defect.what) in line \(line): \(found.map(\.short))")
      }
      #expect(planted > kind.defects.count / 2)
    }
  }

  @Test func `at least twenty defects are planted`() {
    #expect(SoundDocument.all.map(\.defects.count).reduce(0, +) >= 60)
  }
}
