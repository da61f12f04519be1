public import OxbowModel

extension PersistenceError.Code {
  /// A name that a tenant cannot have.
  public static let invalidTenant = Self(rawValue: "invalidTenant")
  /// A tenant that has no store.
  public static let unknownTenant = Self(rawValue: "unknownTenant")
  /// What belongs to a tenant was asked for where none is current.
  public static let noTenant = Self(rawValue: "noTenant")
}

extension PersistenceError {
  /// Without names of other tenants, which users of the one must not see.
  static func unknownTenant(_ tenant: String) -> Self {
    PersistenceError(
      .unknownTenant,
      "the tenant '\(tenant)' has no store; make it with create(_:), or open the stores with "
        + "createsStores")
  }

  static func tenantLeaving(_ tenant: String) -> Self {
    PersistenceError(
      .storeLocked,
      "the store of the tenant '\(tenant)' is being removed, and is not lent meanwhile; try again when "
        + "remove(_:) has ended")
  }

  static let noTenant = PersistenceError(
    .noTenant,
    "the context of the current tenant was asked for, and no tenant is current here; do the work "
      + "inside `tenants.withTenant(name) { … }`")

  static func tenantOver(_ tenant: String) -> Self {
    PersistenceError(
      .noTenant,
      "the context of the tenant '\(tenant)' was asked for after the work for it had ended: wait "
        + "inside `withTenant` for the tasks that it begins, or call `withTenant` in them")
  }

  static let tenantsClosed = PersistenceError(
    .storeClosed, "the stores of the tenants were closed; open them anew")

  static func tenantWaited(_ tenant: String, limit: Int, milliseconds: Int) -> Self {
    PersistenceError(
      .storeLocked,
      "the store of the tenant '\(tenant)' was not opened within \(milliseconds) ms: all \(limit) "
        + "stores that may be open are used, or others are opened and migrated first; raise the limit, "
        + "use fewer tenants at a time, or migrate them before")
  }

  static func tenantUsed(_ tenant: String, milliseconds: Int) -> Self {
    PersistenceError(
      .storeLocked,
      "the store of the tenant '\(tenant)' was not removed: it was used for \(milliseconds) ms on "
        + "end; try again when its requests have ended")
  }
}

extension Error {
  /// The error, with the tenant whose store it is about.
  func of(tenant: String) -> any Error {
    (self as? PersistenceError)?.adding("tenant", tenant) ?? self
  }
}
