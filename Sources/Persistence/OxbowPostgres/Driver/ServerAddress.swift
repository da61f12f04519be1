#if PostgreSQL
  internal import CPostgres
  internal import OxbowFoundation

  /// Where a server is, as libpq takes it: key words with `=`, or a URI.
  struct ServerAddress: Sendable {
    let text: String
    let connectSeconds: Int

    /// Connects, and waits for it; the handle of a connection that failed says why.
    func connect() -> OpaquePointer? {
      let settings: [(String, String)] = [
        ("connect_timeout", "\(max(2, connectSeconds))"), ("fallback_application_name", "oxbow"),
        ("dbname", text), ("client_encoding", "UTF8"),
      ]
      let names = settings.map { strdup($0.0) } + [nil]
      let values = settings.map { strdup($0.1) } + [nil]
      defer { for pointer in names + values { free(pointer) } }
      return PQconnectdbParams(
        names.map { UnsafePointer($0) }, values.map { UnsafePointer($0) }, 1)
    }

    /// The host, port and database, for messages; never a password.
    var description: String {
      guard let options = PQconninfoParse(text, nil) else { return "PostgreSQL" }
      defer { PQconninfoFree(options) }
      var found: [String: String] = [:]
      var option = options
      while let name = option.pointee.keyword {
        if let value = option.pointee.val { found[String(cString: name)] = String(cString: value) }
        option += 1
      }
      if let service = found["service"] { return "service \(service)" }
      let host = found["host"] ?? found["hostaddr"] ?? "localhost"
      let port = found["port"].map { ":\($0)" } ?? ""
      return host + port + "/" + (found["dbname"] ?? found["user"] ?? "")
    }

    /// What is wrong with the text; `nil` for one that libpq can read.
    var mistake: String? {
      var message: UnsafeMutablePointer<CChar>?
      let options = PQconninfoParse(text, &message)
      PQconninfoFree(options)
      defer { PQfreemem(message) }
      return message.map { ServerFailure.trimmed($0) }
    }
  }
#endif
