// expect-error: the property leads to another object; write '@Relationship' before it

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String
}

@Entity final class Book: ManagedObject {
  var author: Author?
}
