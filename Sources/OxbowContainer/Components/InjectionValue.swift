/// The planned value of an injection point.
///
/// Untyped: only the point that planned it may link it, because it checked the types.
package enum InjectionValue {
  /// The object that a dependency leads to.
  case object(Dependency)
  /// A value, by its provider.
  case constant(AnyObjectProvider)
  /// The container itself.
  case container
  indirect case list([InjectionValue])
  indirect case map([(key: String, value: InjectionValue)])
  /// Every object that answers the request of a dependency.
  case all(Dependency)
}
