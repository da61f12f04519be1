// Each mistake is reported once, at the user's line.
// expect-error: AttributesWithMistakes.swift:24:13: error: '@Lazy' needs the type of 'words', and a macro sees no inferred ones; write it
// expect-error: AttributesWithMistakes.swift:25:28: error: 'number' would be assigned from the start, and never again
// expect-error: AttributesWithMistakes.swift:26:3: error: 'theme' has no value where its store has none
// expect-error: AttributesWithMistakes.swift:27:9: error: '@Lazy' does not fit 'static var shared'
// expect-error: AttributesWithMistakes.swift:28:24: error: '@Lazy' writes the accessors of 'count', which has some already
// expect-error: AttributesWithMistakes.swift:29:21: error: initializer 'init(_:_:of:as:initial:)' requires the types 'String' and 'Int' be equivalent
// expect-error: AttributesWithMistakes.swift:30:23: error: missing argument for parameter #1 in call
// expect-error: AttributesWithMistakes.swift:31:12: error: type 'Speller' does not conform to protocol 'Decodable'
// expect-error: AttributesWithMistakes.swift:34:15: error: 'Note' is copied, and a container injects into objects
// expect-error: AttributesWithMistakes.swift:37:3: error: 'local' is a local variable, and '@Lazy' belongs on a property of a type; write 'lazy var'

import Oxbow

final class Speller { init(_ language: String) {} }

struct Clamp: PropertyAttribute {
  func set(_ access: inout AttributeAccess<Int>) {}
}

final class Editor {
  init() {}

  @Lazy var words = ["a"]
  @Final var number: Int = 3
  @Preference var theme: String
  @Lazy static var shared: Int
  @Lazy var count: Int { 3 }
  @Attributed(Clamp()) var text: String = ""
  @Lazy var speller: Speller
  @Preference var kept: Speller?
}

struct Note { @Injected var log: Editor }

func check() {
  @Lazy var local: Int
}
