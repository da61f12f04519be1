/// A type's name with "a" or "an" before it.
package func withArticle(_ name: String) -> String {
  let isVowel = name.first.map { "AEIOaeio".contains($0) } ?? false
  return (isVowel ? "an " : "a ") + name
}
