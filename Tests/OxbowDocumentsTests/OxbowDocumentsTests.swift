// OxbowDocumentsTests
