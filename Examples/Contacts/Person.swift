import Oxbow

/// Somebody with an address.
@Entity final class Person: ManagedObject {
  var firstName: String?
  var lastName: String?
}
