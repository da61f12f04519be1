// expect-error: type 'Color' has no member 'attributeType'
// expect-error: requires that 'Color' conform to 'AttributeConvertible'

import Oxbow

struct Color {}

@Entity final class Book: ManagedObject {
  var cover: Color?
}
