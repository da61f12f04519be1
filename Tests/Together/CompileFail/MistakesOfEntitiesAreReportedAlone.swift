// expect-error: 'tags' of type '[String]' is many values, and an attribute is one
// expect-error: 'id' is read from the store whenever its object is, so it cannot be a 'let'
// expect-error: 'Loose' must inherit from 'ManagedObject' or from another entity
// expect-error: 'Made' cannot declare a designated initializer

import Oxbow

@Entity final class Book: ManagedObject {
  var title: String
  var tags: [String]
}

@Entity public final class Numbered: ManagedObject {
  let id: Int
}

@Entity final class Loose {
  var name: String
}

@Entity final class Made: ManagedObject {
  var name: String
  init(name: String) { self.name = name }
}
