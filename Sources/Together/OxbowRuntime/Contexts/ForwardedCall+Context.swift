internal import OxbowContainer
internal import OxbowContext

extension ForwardedCall {
  /// A verb of a context, in the form of a requirement of the protocol.
  init(_ call: ContextCall) {
    self.init(
      call.name, of: "ObjectContext", call.name.hasSuffix(")") ? .call : .read,
      call.arguments.map(ForwardedArgument.init))
  }
}

extension ForwardedArgument {
  init(_ argument: ContextCall.Argument) {
    self = argument.value.map { .of($0) } ?? .of(Text(description: argument.text))
  }

  /// The text of an argument that may not be kept.
  private final class Text: CustomStringConvertible {
    let description: String
    init(description: String) { self.description = description }
  }
}
