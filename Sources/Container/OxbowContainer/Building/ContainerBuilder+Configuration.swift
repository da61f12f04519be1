internal import OxbowDocuments

/// Settings that a container fills from placeholders: what `@Configuration` makes of a struct.
public protocol ConfigurationValue: Sendable {
  /// What the keys begin with.
  static var _keyPrefix: String { get }

  /// Defines a value of the type.
  static func _define(_ settings: _Settings) -> Ref<Self>
}

extension ContainerBuilder {
  /// Defines the settings of a `@Configuration` struct.
  ///
  /// ```swift
  /// @Configuration("http") struct HTTPSettings {
  ///   var host = "127.0.0.1"
  ///   var port: Int
  ///   @Secret var password: String?
  /// }
  ///
  /// let settings = builder.configuration(HTTPSettings.self)
  /// builder.singleton(named: "server", Server.init(settings:), settings)
  /// ```
  ///
  /// Each property is the value of a placeholder, here `http.host`, `http.port` and
  /// `http.password`: from code, providers of swift-configuration, the environment (`HTTP_PORT`)
  /// or files; see ``Placeholders``. A missing value that has no default, and one that does not
  /// fit the property's type (``ValueConverters``), is a problem of `build()`, each for itself.
  ///
  /// - Parameters:
  ///   - type: The struct.
  ///   - prefix: What its keys begin with, for a second value of the type; by default what the
  ///     struct says.
  ///   - name: The name of the object; by default that of the type with a small letter.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  /// - Returns: A reference to the settings.
  @discardableResult
  public func configuration<T: ConfigurationValue>(
    _ type: T.Type = T.self, at prefix: String? = nil, named name: String? = nil,
    file: String = #fileID, line: Int = #line
  ) -> Ref<T> {
    T._define(
      _Settings(
        builder: self, prefix: prefix ?? T._keyPrefix, name: name,
        location: SourceLocation(file: file, line: line)))
  }
}

/// The settings of one value; called by what `@Configuration` writes.
public struct _Settings {
  fileprivate let builder: ContainerBuilder
  fileprivate let prefix: String
  fileprivate let name: String?
  fileprivate let location: SourceLocation

  private func key(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix).\(name)" }

  /// The value of a property; `fallback` where it is not configured.
  public func value<T: Sendable>(
    _ name: String, as type: T.Type, default fallback: T? = nil
  ) -> Ref<T> { .placeholder(key(name), as: type, default: fallback) }

  /// The value of a property that nothing shows.
  public func secret<T: Sendable>(
    _ name: String, as type: T.Type, default fallback: T? = nil
  ) -> Ref<T> {
    builder.placeholders.markSecret(key(name))
    return value(name, as: type, default: fallback)
  }

  /// Defines the object that has the values.
  public func define<T: Sendable, each D>(
    _ make: @escaping @Sendable (repeat each D) throws -> T, _ values: repeat Ref<each D>
  ) -> Ref<T> {
    builder.singleton(
      named: name, make, repeat each values, file: location.file, line: location.line)
  }
}
