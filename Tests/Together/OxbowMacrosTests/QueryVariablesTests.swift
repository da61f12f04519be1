import Testing

@Suite struct QueryVariablesTests {
  @Test(
    arguments: [
      ("a == $x AND b IN $list", ["x", "list"]),
      (#"title == 'it\'s $no' AND pages > $pages"#, ["pages"]),
      (#"title == "a \" $no" OR a == $b"#, ["b"]),
      ("SUBQUERY(books, $b, $b.pages > $n).@count > 0", ["n"]),
      ("subqueryNote == $note", ["note"]),
    ] as [(String, Set<String>)])
  func `the variables of a text are those outside of texts that no subquery binds`(
    text: String, variables: Set<String>
  ) {
    #expect(QueryVariables(text).free == variables)
  }
}
