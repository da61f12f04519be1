public import OxbowContainer

#if Configuration
  public import Configuration

  extension Placeholders {
    /// Asks providers of swift-configuration for values: the environment, arguments, files.
    ///
    /// ```swift
    /// builder.placeholders.load(
    ///   from: CommandLineArgumentsProvider(), EnvironmentVariablesProvider(),
    ///   try await FileProvider<JSONSnapshot>(filePath: "server.json"))
    /// ```
    ///
    /// The key of `${http.port:8080}` is `http.port`, which providers spell in their own way:
    /// `--http-port`, `HTTP_PORT`, or `port` in the object `http`. The first provider that has a
    /// value counts; those of a later call come after all of an earlier one, and the builder's own
    /// environment and files after them. What `set(_:_:)` gave goes before all.
    ///
    /// Values are those of this moment: a container never changes what its objects were made with.
    /// A value that a provider marks as secret (`secretsSpecifier`) is shown nowhere, as if its key
    /// were marked. A list, and bytes, are a problem of `build()` where a placeholder wants them.
    public mutating func load(from providers: any ConfigProvider...) {
      sources += providers.map { ConfigurationSource(snapshot: $0.snapshot()) }
    }
  }

  /// The values of a provider, as they were.
  struct ConfigurationSource: PlaceholderSource {
    let snapshot: any ConfigSnapshot

    /// For longer keys, near ones are not looked for.
    private static let longestKey = 80

    var name: String { snapshot.providerName }

    /// Providers convert nothing: a number in JSON is not a text.
    func value(of key: String) throws -> (text: String, isSecret: Bool)? {
      let key = AbsoluteConfigKey(ConfigKey(key))
      do {
        return try value(of: key, as: .string)
      } catch {
        for type in [ConfigType.int, .double, .bool] {
          if let value = try? value(of: key, as: type) { return value }
        }
        throw error
      }
    }

    private func value(
      of key: AbsoluteConfigKey, as type: ConfigType
    ) throws -> (text: String, isSecret: Bool)? {
      guard let value = try snapshot.value(forKey: key, type: type).value else { return nil }
      let text =
        switch value.content {
        case .string(let text): text
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .bool(let truth): "\(truth)"
        default: nil as String?
        }
      return text.map { ($0, value.isSecret) }
    }

    /// A provider does not list its keys, so those that differ in one character are tried.
    func nearKeys(to key: String) -> [String] {
      let characters = Array(key)
      guard characters.count <= Self.longestKey else { return [] }
      var found: [String] = []
      func attempt(_ candidate: [Character]) {
        let name = String(candidate)
        guard name != key, !found.contains(name), has(name) else { return }
        found.append(name)
      }
      for index in characters.indices {
        attempt(characters.removing(index))
        if index + 1 < characters.count {
          var swapped = characters
          swapped.swapAt(index, index + 1)
          attempt(swapped)
        }
      }
      for letter in "abcdefghijklmnopqrstuvwxyz" {
        for index in 0...characters.count {
          attempt(characters[..<index] + [letter] + characters[index...])
          if index < characters.count {
            attempt(characters[..<index] + [letter] + characters[(index + 1)...])
          }
        }
      }
      return found
    }

    private func has(_ key: String) -> Bool {
      do { return try value(of: key) != nil } catch { return true }
    }
  }

  extension [Character] {
    fileprivate func removing(_ index: Int) -> Self {
      var rest = self
      rest.remove(at: index)
      return rest
    }
  }
#else
  extension Placeholders {
    /// Nothing without the trait.
    @available(
      *, unavailable,
      message:
        "write traits: [.defaults, \"Configuration\"] where your package depends on oxbow: it brings swift-configuration"
    )
    public mutating func load(from providers: Any...) {}
  }
#endif
