/// What is declared only so that the compiler refuses it with a text that says what to write.
package enum Refused {
  package static func call() -> Never {
    preconditionFailure("the compiler refuses every call of this")
  }
}
