/// The body of what is declared only to be refused by the compiler with a text.
enum Refused {
  static func call() -> Never { preconditionFailure("the compiler refuses every call of this") }
}
