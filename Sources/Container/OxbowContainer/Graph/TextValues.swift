internal import OxbowDocuments
internal import OxbowPlatform

/// What texts mean in one container: placeholders are replaced, then the text is converted.
struct TextValues: Sendable {
  private let placeholders: Placeholders
  private let values: ValueConverters

  init(
    _ placeholders: Placeholders = Placeholders(), _ values: ValueConverters = ValueConverters()
  ) {
    self.placeholders = placeholders
    self.values = values
  }

  /// Whether a key has a value, if only one that does not fit.
  func knows(_ key: String) -> Bool {
    do throws(PlaceholderText.Failure) { return try placeholders.value(of: key) != nil } catch {
      return true
    }
  }

  /// The value of a text, which is written at a location for an injection site; of a key that the
  /// text shows, if there is one.
  ///
  /// - Throws: Why the text has none.
  func value<T>(
    of text: String, key: String? = nil, as type: T.Type, site: String,
    at location: SourceLocation?
  ) throws(ContainerError) -> T {
    let work = PlaceholderText(placeholders: placeholders)
    let expanded: ExpandedText
    do throws(PlaceholderText.Failure) {
      expanded = if let key { try work.value(ofKey: key) } else { try work.expand(text) }
    } catch {
      throw Self.error(
        .placeholder(error, in: text, site: site, placeholders).at(location))
    }
    do throws(ValueConverters.Failure) {
      return try values.convert(expanded.text, to: type)
    } catch {
      throw Self.error(
        .conversion(error, of: expanded.text, mask: expanded.mask, site: site, typeName: "\(type)")
          .at(location))
    }
  }

  private static func error(_ problem: ContainerError.Problem) -> ContainerError {
    ContainerError(problem, task: "convert a text")
  }
}

extension TextValues: Unreflected {}

/// A text that code injects, and what is to be said of it before the container is linked.
struct TextNeed: Sendable {
  /// Where it goes.
  private let path: InjectionSite.Path
  private let location: SourceLocation?
  private let text: InjectedText

  init(_ text: InjectedText, role path: InjectionSite.Path, at location: SourceLocation?) {
    (self.text, self.path, self.location) = (text, path, location)
  }

  /// Reports what is wrong with the text, or worth knowing.
  func check(
    _ values: TextValues, of object: String, problem: (ContainerError.Problem) -> Void,
    note: (ContainerError.Note) -> Void
  ) {
    let site = InjectionSite(path, at: location).text(in: object)
    switch text {
    case .constant:
      note(
        ContainerError.Note(
          "\(site): a constant is taken as it is, and \"${\" in it means nothing; write "
            + "Ref.text(…) for a text with placeholders", at: location))
    case .placeholders(let convert):
      do throws(ContainerError) { try convert(values, site, location) } catch {
        error.problems.forEach(problem)
      }
    }
  }
}

/// What a reference says of its text.
enum InjectedText: Sendable {
  /// It looks as if it had placeholders, and is a constant.
  case constant
  /// Its placeholders are replaced, and it is converted, or it is said why that is impossible.
  case placeholders(@Sendable (TextValues, String, SourceLocation?) throws(ContainerError) -> Void)

  /// What is to be said of a constant.
  static func of(_ constant: Any) -> InjectedText? {
    (constant as? String)?.contains("${") == true ? .constant : nil
  }
}

extension Ref where T: Sendable {
  /// A reference that delivers what a text of a file would mean: placeholders are replaced,
  /// then the text is converted.
  ///
  /// ```swift
  /// builder.singleton(named: "server", Server.init(address:), Ref.text("${host}:${port:8080}"))
  /// ```
  ///
  /// A text that has no value is a problem of `build()`.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - type: The type of the value; ``ValueConverters`` says which there are.
  /// - Returns: The reference.
  public static func text(_ text: String, as type: T.Type = T.self) -> Ref<T> {
    injected { values, site, location throws(ContainerError) in
      try values.value(of: text, as: type, site: site, at: location)
    }
  }

  /// A reference that delivers the value of a placeholder.
  ///
  /// ```swift
  /// builder.singleton(named: "pool", Pool.init(size:), Ref.placeholder("pool.size", default: 4))
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key, as in `${key}`; colons and braces are a part of it.
  ///   - type: The type of the value.
  ///   - fallback: What is delivered where nothing says what the key means; without one that
  ///     is a problem of `build()`.
  /// - Returns: The reference.
  public static func placeholder(
    _ key: String, as type: T.Type = T.self, default fallback: T? = nil
  ) -> Ref<T> {
    injected { values, site, location throws(ContainerError) in
      if let fallback, !values.knows(key) { return fallback }
      return try values.value(of: "${\(key)}", key: key, as: type, site: site, at: location)
    }
  }

  private static func injected(
    _ value: @escaping @Sendable (TextValues, String, SourceLocation?) throws(ContainerError) -> T
  ) -> Ref<T> {
    var ref = Ref("", use: .constant, fit: { _ in .fits }) { linker in
      ConstantProvider(try value(linker.texts, "a request", nil))
    }
    ref.text = .placeholders { values, site, location throws(ContainerError) in
      _ = try value(values, site, location)
    }
    return ref
  }
}
