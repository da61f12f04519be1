#if PostgreSQL
  internal import CPostgres
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational

  /// Where a server is, as libpq takes it: key words with `=`, or a URI.
  struct ServerAddress: Sendable {
    let text: String
    let connectSeconds: Int

    /// What others see of the connection, unless the location says it.
    var application = "oxbow"

    /// Whether the server has to be one that can be written to, where the location names several
    /// hosts and neither it nor the environment says of which kind: a replica among them may lack
    /// what was saved.
    var needsPrimary = true

    /// Connects, and waits for it; the handle of a connection that failed says why.
    func connect() -> OpaquePointer? {
      let names = settings.map { strdup($0.0) } + [nil]
      let values = settings.map { strdup($0.1) } + [nil]
      defer { for pointer in names + values { free(pointer) } }
      return PQconnectdbParams(
        names.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 1)
    }

    /// What libpq gets, key words before the location, which may say otherwise; what is not among
    /// them may be in the environment, or in a service file.
    var settings: [(String, String)] {
      let isKindOpen = needsPrimary && hasSeveralHosts && getenv("PGTARGETSESSIONATTRS") == nil
      return [
        ("connect_timeout", "\(min(max(2, connectSeconds), Int(Int32.max)))"),
        ("fallback_application_name", application),
        // A host that has vanished ends a wait.
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "60000"),
      ] + (isKindOpen ? [("target_session_attrs", "read-write")] : [])
        + [("dbname", text), ("client_encoding", "UTF8")]
    }

    /// The host, port and database, for messages; never a password.
    var description: String {
      guard let options else { return "PostgreSQL" }
      if let service = options["service"] { return "service \(service)" }
      let port = options["port"].map { ":\($0)" } ?? ""
      return Self.host(options) + port + "/" + (options["dbname"] ?? options["user"] ?? "")
    }

    /// The location as a URI without what is secret, for other programs; without the schema.
    var uri: String {
      var rest = options ?? [:]
      func take(_ word: String) -> String? {
        rest.removeValue(forKey: word).map(PostgresLocation.encoded)
      }
      var place = take("user").map { $0 + "@" } ?? ""
      // Of several hosts, each would need its port behind it.
      if rest["port"]?.contains(",") != true {
        place += (take("host") ?? "") + (take("port").map { ":" + $0 } ?? "")
      }
      place += "/" + (take("dbname") ?? "")
      let others = rest.sorted { $0.key < $1.key }
      return "postgres://" + place + (others.isEmpty ? "" : "?")
        + others.map { "\($0.key)=\(PostgresLocation.encoded($0.value))" }.joined(separator: "&")
    }

    /// Whether libpq cannot read the text, or would take a part of a password for the host, the
    /// port or the database; its own words would quote passwords.
    var isMistaken: Bool {
      guard let options else { return true }
      let isPort = options["port"]?.utf8.allSatisfy { $0 == 0x2C || 0x30...0x39 ~= $0 } ?? true
      return !isPort || Self.host(options).contains("@") || hasSlashInPassword
    }

    /// Whether a URI has a "/" before its "@": libpq looks for the user up to the first one.
    private var hasSlashInPassword: Bool {
      guard let scheme = text.firstRange(of: "://"), text.hasPrefix("postgres") else {
        return false
      }
      let place = text[scheme.upperBound...].prefix { $0 != "?" }
      return place.drop { $0 != "/" }.contains("@")
    }

    /// Refuses a location that libpq cannot read, and a name of a schema that the server would cut
    /// or does not take.
    func require(_ schema: String) throws(PersistenceError) {
      guard !isMistaken else {
        throw PersistenceError(
          .storeUnreachable,
          "the location of the store cannot be read; write a URI such as "
            + "'postgres://user@host/database' (with '%', '@' and '/' of a password as %25, %40 and %2F), or key "
            + "words such as 'host=… dbname=…' (a value with spaces in single quotes)"
            + (text.contains("schema=")
              ? "; a URI with the schema is 'PostgresLocation(uri:)'" : ""),
          nearNames: nearWords)
      }
      let limit = PostgresDialect().capability.nameBytes ?? .max
      guard schema.isEmpty || schema.utf8.count > limit || schema.utf8.contains(0) else { return }
      throw PersistenceError(
        .storeUnreachable,
        "'\(schema)' cannot be the name of a schema: it needs 1 to \(limit) bytes, none of them 0; give "
          + "the location another schema")
    }

    /// The key words that an unknown one may have been meant for.
    ///
    /// It is not quoted itself, since it may be a part of a password.
    private var nearWords: [String] {
      var words: UnsafeMutablePointer<CChar>?
      if let all = PQconninfoParse(text, &words) { PQconninfoFree(all) }
      guard let words else { return [] }
      defer { PQfreemem(words) }
      // The words are of several languages; the name is in quotes of these kinds in all of them.
      let parts = String(cString: words).split { "\"«»„“”".contains($0) }
      guard parts.count > 1 else { return [] }
      let word = String(parts[1])
      let own = word == "schema" ? [] : ["schema"]
      return PersistenceError.nearNames(to: word, among: Self.words + own)
    }

    /// The key words of libpq.
    private static var words: [String] {
      guard let all = PQconndefaults() else { return [] }
      defer { PQconninfoFree(all) }
      return list(all).map(\.name)
    }

    /// The key words and their values, but for those that libpq calls secret.
    private static func list(
      _ all: UnsafeMutablePointer<PQconninfoOption>
    ) -> [(name: String, value: String?)] {
      var found: [(String, String?)] = []
      var option = all
      while let name = option.pointee.keyword {
        let isSecret = option.pointee.dispchar.map { $0.pointee == 0x2A } ?? false
        let value = isSecret ? nil : option.pointee.val.map { String(cString: $0) }
        found.append((String(cString: name), value))
        option += 1
      }
      return found
    }

    private static func host(_ options: [String: String]) -> String {
      options["host"] ?? options["hostaddr"] ?? "localhost"
    }

    private var hasSeveralHosts: Bool {
      options.map { Self.host($0).contains(",") } ?? false
    }

    /// The key words that have a value and are not secret; `nil` for a text that libpq cannot read.
    private var options: [String: String]? {
      guard let all = PQconninfoParse(text, nil) else { return nil }
      defer { PQconninfoFree(all) }
      return Self.list(all).reduce(into: [:]) { $0[$1.name] = $1.value }
    }
  }
#endif
