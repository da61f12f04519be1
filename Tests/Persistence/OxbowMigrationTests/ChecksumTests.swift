import OxbowMigration
import Testing

@Suite struct ChecksumTests {
  func sum(_ text: String) -> String { Checksum(of: Array(text.utf8)).description }

  @Test func `line endings and blanks at ends of lines do not count`() {
    let text = "SELECT 1;\n\n  SELECT 2;\n"
    #expect(sum(text) == sum("SELECT 1;\r\n\r\n  SELECT 2;\r\n"))
    #expect(sum(text) == sum("SELECT 1;  \n\t\n  SELECT 2;\n\n\n"))
    #expect(sum(text) == sum("SELECT 1;\r\r  SELECT 2;"))
  }

  @Test func `everything else counts`() {
    let text = "SELECT 1;\n\n  SELECT 2;\n"
    #expect(sum(text) != sum("SELECT 1;\n  SELECT 2;\n"))
    #expect(sum(text) != sum("SELECT 1;\n\n SELECT 2;\n"))
    #expect(sum(text) != sum("SELECT 1;\n\n  SELECT 3;\n"))
    #expect(sum("") == sum("\n\n"))
    #expect(sum("") != sum("a"))
  }

  @Test func `the algorithm is fixed`() {
    // SHA-256 of "a\n": a change of the algorithm would make all applied files look changed.
    #expect(
      sum("a") == "87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7")
  }
}
