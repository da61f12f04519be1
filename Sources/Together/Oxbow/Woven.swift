/// Has the methods of a class run the aspects of a container around themselves.
///
/// ```swift
/// @Woven final class Till {
///   func sell(_ title: String) throws -> Int { try price(of: title) * 2 }
///   func price(of title: String) throws -> Int { title.count }
/// }
///
/// builder.singleton(named: "till", Till.init)
/// builder.aspect(named: "audit", on: .objects("till").methods("price"), Audit.init(log:), log)
/// ```
///
/// A `@Proxied` protocol has aspects too, and they see the calls that go through its proxy. With a
/// woven class they see every call, including the object's calls of itself: here `price(of:)`
/// inside of `sell(_:)`. The object keeps its class and needs no protocol.
///
/// An object gets its aspects from the container that makes it, after its initializer and before
/// its properties are set; objects without any run their own code. `inject(into:)`
/// gives them to an object that was made elsewhere.
///
/// Where methods of the class are marked with ``Weave()``, those alone are woven; the others are
/// called as ever. Without a mark all methods are that can be. What cannot is an error where it is
/// marked, and left out otherwise: methods that are static, `rethrows`, limit their errors, are
/// async and do not throw, or take arguments that cannot be kept (functions that do not escape,
/// `consuming`, `some`, packs, `inout` of an async method).
/// Initializers, properties and the methods of extensions are not woven.
///
/// An override is a method of its own: of a woven superclass, it is woven if its class is, and what
/// it calls by `super` is another call. A class of an actor cannot be woven.
@attached(
  member, conformances: WovenObject, names: named(_weaving), named(_weave), named(_wovenMethods),
  arbitrary)
@attached(memberAttribute)
@attached(extension, conformances: WovenObject)
public macro Woven() = #externalMacro(module: "OxbowMacros", type: "WovenMacro")

/// Has a class that is ``Woven()`` weave this method, and none but those that are marked.
///
/// ```swift
/// @Woven final class Till {
///   @Weave func sell(_ title: String) throws -> Int { … }
///   func price(of title: String) -> Int { … }
/// }
/// ```
@attached(peer)
public macro Weave() = #externalMacro(module: "OxbowMacros", type: "WeaveMarkerMacro")

/// Writes the body of a method; ``Woven()`` attaches it.
@attached(body)
public macro _WovenBody() = #externalMacro(module: "OxbowMacros", type: "WovenBodyMacro")
