/// Returns the target of a proxy for a requirement that cannot throw.
///
/// `@Proxied` warns where it writes a call of this: without a target such a requirement has no answer,
/// and the process stops with the reason.
public func _requiredTarget<Target>(_ name: String, _ target: () throws -> Target) -> Target {
  do {
    return try target()
  } catch {
    // Not `preconditionFailure`, whose text a release build would not print.
    fatalError(
      "A proxy of '\(name)' has no object to forward to, and the requirement that was called cannot "
        + "throw. Make the requirement throwing to handle this error: \(error)")
  }
}
