/// Why a name that is referred to has no object.
package enum UnavailableReason {
  /// Something is wrong with its definition, which is reported there.
  case faulty
  case abstract
  /// It is a converter or post-processor.
  case infrastructure
  /// It is an object, and the container is not that far.
  case later
}
