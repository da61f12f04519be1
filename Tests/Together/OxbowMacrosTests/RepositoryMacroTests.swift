import Testing

@Suite struct RepositoryMacroTests {
  private func expanded(_ method: String) -> Expansion {
    diagnostics(of: "@Repository protocol Books: Repository<Book> {\n  \(method)\n}")
  }

  @Test(arguments: [
    (
      #"@Query("gone != nil") func deletedCount() throws -> Int"#,
      "return try self.count(where: try"
    ),
    (#"@Query("gone != nil") func deleteGone() throws -> Int"#, "return try _delete(try"),
    (#"@Query("gone != nil") func delete_gone() throws"#, "  try _delete(try"),
    (#"@Query("gone != nil") func purge() throws -> Int"#, "return try self.count(where: try"),
  ])
  func `a method deletes whose name begins with the word`(method: String, call: String) {
    let found = expanded(method)
    #expect(found.messages == [] && found.expansion.contains(call))
  }

  @Test func `a text with a method that returns nothing does not delete`() {
    let found = expanded(#"@Query("isRead == false") func markRead() throws"#)
    #expect(
      found.messages == [
        "'markRead' returns 'Void', which does not tell what is asked; return an array of objects, "
          + "an optional object, 'Int', 'Bool', 'FetchedObjects', 'Page' or 'FetchedSlice', begin "
          + "its name with 'delete' if it deletes, or mark it '@Written' and write it yourself"
      ])
    #expect(!found.expansion.contains("_delete"))
  }

  @Test(arguments: [
    ("func find(class: String) throws -> [Book]", #""class", `class`)"#),
    ("func find(limit in: Int) throws -> [Book]", "limit: `in`)"),
    (#"@Query("year IN $in") func by(_ `in`: [Int]) throws -> [Book]"#, #"["in": `in`]"#),
    (#"@Query("year IN $in") func by(in: [Int]) throws -> [Book]"#, #"["in": `in`]"#),
  ])
  func `a parameter may have a keyword for its name`(method: String, use: String) {
    let found = expanded(method)
    #expect(found.messages == [] && found.expansion.contains(use))
  }

  @Test(arguments: [
    #""title == \"Kindred\" AND year > $year""#, ##"#"title == "a" AND year > $year"#"##,
  ])
  func `a text is read as the program will see it`(text: String) {
    #expect(expanded("@Query(\(text)) func after(_ year: Int) throws -> [Book]").messages == [])
  }

  @Test(arguments: [
    (
      "func page(_ page: PageRequest, year: Int, sortedBy: [SortKey<Book>]) throws -> Page<Book>",
      "return try self.page(page, where: _c0, sortedBy: sortedBy)"
    ),
    (
      "func slice(after token: PageToken?, limit: Int) throws -> FetchedSlice<Book>",
      "return try self.slice(where: nil, after: token, limit: limit)"
    ),
  ])
  func `what a repository has anyway is called`(method: String, call: String) {
    let found = expanded(method)
    #expect(found.messages == [] && found.expansion.contains(call))
  }
}
