/// How a value of one type becomes one of another.
package enum ValueConversion: Hashable, Sendable {
  case integerToReal
  case integerToText
  case uuidToText
}
