/// The treatment of a document type declaration.
package enum XMLDoctype: Sendable {
  /// It is an error.
  case refused

  /// That of XML property lists is skipped, and its address is never followed.
  case propertyList

  /// Like `propertyList` in a document whose root is `plist`, and an error in every other one.
  case propertyListIfRoot
}
