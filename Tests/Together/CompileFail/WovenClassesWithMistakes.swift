// A mistake in a woven class is reported at the user's line, and alone.
// expect-error: WovenClassesWithMistakes.swift:18:5: error: cannot find 'titel' in scope
// expect-error: WovenClassesWithMistakes.swift:21:22: error: aspects cannot run around 'rename(_:)': the argument 'title' cannot be kept for them
// expect-error: WovenClassesWithMistakes.swift:22:3: error: aspects run around methods, and this is an initializer
// expect-error: WovenClassesWithMistakes.swift:23:3: error: aspects run around methods, and this is a property
// expect-error: WovenClassesWithMistakes.swift:27:3: error: the macro on the class does not see 'price', because an extension declares it
// expect-error: WovenClassesWithMistakes.swift:31:3: error: objects of 'Plain' have no place for aspects
// expect-error: WovenClassesWithMistakes.swift:34:1: error: a container gives aspects to the objects of a class, and 'Copied' is a struct
// expect-error: WovenClassesWithMistakes.swift:38:1: error: a container gives aspects to the objects of a class, and 'Alone' is an actor
// expect-error: WovenClassesWithMistakes.swift:42:1: error: the aspects of 'Kept' cannot be coded

import Oxbow

@Woven final class Till {
  var sold: [String] = []

  @Weave func sell(_ title: String) throws -> Int {
    titel.count
  }

  @Weave func rename(_ title: consuming String) {}
  @Weave init() {}
  @Weave var count: Int { sold.count }
}

extension Till {
  @Weave func price() -> Int { 1 }
}

final class Plain {
  @Weave func price() -> Int { 1 }
}

@Woven struct Copied {
  func price() -> Int { 1 }
}

@Woven actor Alone {
  func price() -> Int { 1 }
}

@Woven final class Kept: Codable {
  var count = 1
}
