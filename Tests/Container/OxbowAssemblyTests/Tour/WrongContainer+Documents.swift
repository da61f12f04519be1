import OxbowAssembly
import OxbowContainer
import OxbowDocuments

extension WrongContainer {
  /// Documents that cannot be read, or that say what means nothing.
  static let documents: [WrongContainer] = [
    WrongContainer("unclosed-document", xml: "<container>\n  <object id=\"a\" class=\"Grail\">\n"),
    WrongContainer("empty-document", xml: ""),
    WrongContainer(
      "attribute-twice",
      xml: "<container>\n  <object id=\"a\" class=\"Grail\" id=\"b\"/>\n</container>"),
    WrongContainer(
      "document-type",
      xml: "<!DOCTYPE container [<!ENTITY a \"b\">]>\n<container>&a;</container>"),
    WrongContainer("document-too-large") { builder in
      try builder.load(
        text: "<container>\n  <object id=\"a\" class=\"Grail\"/>\n</container>",
        file: "wiring.xml", limits: DocumentLimits(maximumBytes: 20))
    },
    WrongContainer("document-too-deep") { builder in
      let text = String(repeating: "<container>", count: 300)
      try builder.load(text: text, file: "wiring.xml")
    },
    WrongContainer("wrong-root", xml: "<contaner/>"),
    WrongContainer(
      "wrong-element", xml: "<container>\n  <objekt id=\"a\" class=\"Grail\"/>\n</container>"),
    WrongContainer(
      "wrong-attribute",
      xml: "<container>\n  <object id=\"a\" class=\"Grail\" lasy=\"true\"/>\n</container>"),
    WrongContainer("no-class-in-a-file", xml: "<container>\n  <object id=\"a\"/>\n</container>"),
    WrongContainer(
      "neither-true-nor-false",
      xml: "<container>\n  <object id=\"a\" class=\"Grail\" singleton=\"ture\"/>\n</container>"),
    WrongContainer(
      "scope-twice",
      xml: """
        <container>
          <object id="a" class="Grail" singleton="true" scope="prototype"/>
        </container>
        """),
    WrongContainer(
      "value-and-reference",
      xml: """
        <container>
          <object id="knight" class="Knight" scope="prototype">
            <property name="name" value="Ada" ref="grail"/>
          </object>
          <object id="grail" class="Grail"/>
        </container>
        """),
    WrongContainer("missing-file") { builder in
      try builder.load("nowhere/wiring.xml")
    },
  ]
}
