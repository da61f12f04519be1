/// What becomes of a document type declaration.
package enum XMLDoctype: Sendable {
  /// It is an error.
  case refused

  /// The one of XML property lists is skipped, without ever following its address.
  case propertyList

  /// As `propertyList` in a document whose root is `plist`; in every other it is an error.
  case propertyListIfRoot
}
