/// Where the objects of threads or tasks are kept.
package protocol ConfinedPlace: Sendable {
  /// The objects of the thread or task that asks.
  ///
  /// - Parameter name: What is asked for, for messages.
  /// - Returns: The frame.
  /// - Throws: `unboundTask` where there is none.
  func frame(for name: String) throws -> ThreadFrame
  func reserveSlot() -> Int
}
