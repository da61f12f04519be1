// A mistake in a woven class is reported at the user's line, and alone.
// expect-error: WovenClassesWithMistakes.swift:17:5: error: cannot find 'titel' in scope
// expect-error: WovenClassesWithMistakes.swift:20:22: error: aspects cannot run around 'rename(_:)': the argument 'title' cannot be kept for them
// expect-error: WovenClassesWithMistakes.swift:21:3: error: aspects run around methods, and this is an initializer
// expect-error: WovenClassesWithMistakes.swift:22:3: error: aspects run around methods, and this is a property
// expect-error: WovenClassesWithMistakes.swift:26:3: error: the macro on the class does not see 'price', because an extension declares it
// expect-error: WovenClassesWithMistakes.swift:30:3: error: objects of 'Plain' have no place for aspects
// expect-error: WovenClassesWithMistakes.swift:33:1: error: a container gives aspects to the objects of a class, and 'Copied' is a struct
// expect-error: WovenClassesWithMistakes.swift:37:1: error: a container gives aspects to the objects of a class, and 'Alone' is an actor

import Oxbow

@Woven final class Till {
  var sold: [String] = []

  @Weave func sell(_ title: String) throws -> Int {
    titel.count
  }

  @Weave func rename(_ title: inout String) {}
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
