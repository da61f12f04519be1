// expect-error: values of this type cannot be kept; make the type 'AttributeConvertible'

import Oxbow

struct Color {}

@Entity final class Book: ManagedObject {
  var cover: Color?
}
