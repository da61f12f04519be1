#if Configuration
  import Configuration
  import Foundation
  import Oxbow
  import OxbowConfiguration
  import OxbowTestSupport
  import Testing

  @Configuration("http") struct HTTPSettings: Equatable {
    var host = "127.0.0.1"
    var port: Int
    var isOpen: Bool
    var maxBodySize: Double = 1.5 { didSet { isOpen = true } }
    @Secret var password: String?
  }

  /// Placeholders whose values come from providers of swift-configuration (OX-31).
  @Suite struct ConfigurationSourceTests {
    private let builder = ContainerBuilder()

    init() { builder.placeholders.environment = [:] }

    /// Reads a file; its path is configured, too.
    private func file(_ text: String) async throws -> FileProvider<JSONSnapshot> {
      let folder = try TemporaryFolder()
      let path = try folder.write(text, to: "server.json")
      let place = InMemoryProvider(values: [
        "filePath": ConfigValue(.string(path), isSecret: false)
      ])
      return try await FileProvider<JSONSnapshot>(config: ConfigReader(provider: place))
    }

    @Test func `OX-31 arguments go before the environment, and that before a file`() async throws {
      let json = #"{"http": {"host": "file", "port": 1, "isOpen": true, "maxBodySize": 0.25}}"#
      builder.placeholders.load(
        from: CommandLineArgumentsProvider(arguments: ["server", "--http-port", "3"]),
        EnvironmentVariablesProvider(environmentVariables: ["HTTP_PORT": "2", "HTTP_HOST": "env"]),
        try await file(json))
      let settings = builder.configuration(HTTPSettings.self)
      let made = try builder.build().object(settings)
      #expect(
        made
          == HTTPSettings(host: "env", port: 3, isOpen: true, maxBodySize: 0.25, password: nil))
    }

    @Test func `OX-31 what code sets goes before all, and the builder's environment after`() throws
    {
      builder.placeholders.environment = ["HTTP_PORT": "5", "HTTP_IS_OPEN": "no"]
      builder.placeholders.load(
        from: InMemoryProvider(values: ["http.port": 4, "http.host": "memory"]))
      builder.placeholders.set("http.host", "code")
      builder.placeholders.load(
        from: InMemoryProvider(values: ["admin.port": 9, "admin.isOpen": true, "http.port": 5]))
      let settings = builder.configuration(HTTPSettings.self)
      let other = builder.configuration(HTTPSettings.self, at: "admin", named: "admin")
      let container = try builder.build()
      let made = try container.object(settings)
      #expect((made.host, made.port, made.isOpen) == ("code", 4, false))
      #expect(try container.object(other).port == 9)
    }

    @Test func `OX-31 a text of a file has values of providers, numbers and truths included`()
      throws
    {
      builder.placeholders.load(
        from: InMemoryProvider(values: ["a.n": 7, "a.x": 0.5, "a.b": true, "a.t": "<${a.n}>"]))
      builder.singleton(
        named: "text", { $0 }, Ref<String>.text("${a.n} ${a.x} ${a.b} ${a.t} ${c:d}"))
      #expect(try builder.build().object("text", as: String.self) == "7 0.5 true <7> d")
    }

    @Test func `OX-31 a container keeps the values of its building`() throws {
      let provider = MutableInMemoryProvider(initialValues: ["size": 1])
      builder.placeholders.load(from: provider)
      let size = builder.prototype(named: "size", { $0 }, Ref.placeholder("size", as: Int.self))
      let container = try builder.build()
      provider.setValue(2, forKey: "size")
      #expect(try container.object(size) == 1)
    }

    @Test func `OX-31 all that is missing or does not fit is reported at once, with near names`()
      throws
    {
      builder.placeholders.environment = ["HTTP_PROT": "1"]
      builder.placeholders.load(
        from: InMemoryProvider(
          values: [
            "http.isOpn": true, "http.maxBodySize": "large",
            "http.host": ConfigValue(.stringArray(["a", "b"]), isSecret: false),
          ]))
      builder.configuration(HTTPSettings.self)
      let problems = builder.check().problems
      let site = #"object "httpSettings", initializer argument"#
      #expect(
        problems.map(\.message) == [
          #"\#(site) 1: the value of "${http.host}" is not a text"#,
          #"\#(site) 2: the value of "${http.port}" is not known"#,
          #"\#(site) 3: the value of "${http.isOpen}" is not known"#,
          #"\#(site) 4: "large" is not a Double"#,
        ])
      #expect(problems.map(\.nearNames) == [[], ["HTTP_PROT"], ["http.isOpn"], []])
      #expect(
        problems.allSatisfy {
          $0.location?.file.hasSuffix("ConfigurationSourceTests.swift") == true
        })
    }

    @Test func `OX-31 a secret is shown nowhere, whether the struct or the provider says it`()
      throws
    {
      builder.placeholders.load(
        from: EnvironmentVariablesProvider(
          environmentVariables: ["DB_PORT": "hunter2"], secretsSpecifier: .all),
        InMemoryProvider(values: ["http.port": 1, "http.isOpen": true, "http.password": "hunter3"]))
      builder.configuration(HTTPSettings.self)
      builder.singleton(named: "port", { $0 }, Ref.placeholder("db.port", as: Int.self))
      builder.singleton(named: "digits", { $0 }, Ref.placeholder("http.password", as: Int.self))
      let problems = builder.check().problems
      #expect(
        problems.map(\.message) == [
          #"object "port", initializer argument 1: "‹secret›" is not an Int"#,
          #"object "digits", initializer argument 1: "‹secret›" is not an Int"#,
        ])
      let sound = ContainerBuilder()
      sound.placeholders = builder.placeholders
      let settings = sound.configuration(HTTPSettings.self)
      let container = try sound.build()
      #expect(try container.object(settings).password == "hunter3")
      let shown = try "\(container.explain("httpSettings"))\(container.graph.mermaid)\(problems)"
      #expect(!shown.contains("hunter"))
    }
  }
#endif
