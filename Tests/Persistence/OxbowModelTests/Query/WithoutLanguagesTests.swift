#if !Languages
  import OxbowModel
  import Testing

  /// What a program hears that was built without the trait `Languages`, which the gate builds and
  /// does not run: `swift test --disable-default-traits --filter WithoutLanguages`.
  @Suite struct WithoutLanguagesTests {
    @Test func `a regular expression is refused, and the trait named`() {
      let error = #expect(throws: PersistenceError.self) { try TextTest(.matches, "a.b", []) }
      #expect(error?.code == .unsupported)
      #expect(
        error?.message
          == "the regular expression 'a.b' cannot be read: Oxbow was built without its trait 'Languages'; "
          + "write traits: [.defaults] where your package depends on oxbow")
    }

    @Test func `an order of a language is refused, and others are not`() throws {
      try ([.caseInsensitive, .numeric] as TextOrder).requireLocale()
      let error = #expect(throws: PersistenceError.self) {
        try ([.localized, .numeric] as TextOrder).requireLocale()
      }
      #expect(error?.code == .unsupported)
    }

    @Test func `a text is folded and searched as with the trait`() throws {
      #expect(TextFolding.folded("STRAẞE", .caseInsensitive) == "strasse")
      #expect(try TextTest(.like, "É*", [.diacriticInsensitive]).holds("Emma"))
    }
  }
#endif
