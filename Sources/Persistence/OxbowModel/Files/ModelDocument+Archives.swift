package import OxbowCoreData
internal import OxbowDocuments

// Models that are in archives: compiled ones, those of Xcode before version 4, and those that
// stores of Core Data keep.

extension ModelDocument {
  /// Creates the document of a model that was in an archive.
  ///
  /// Its lines are those of a document that is in no file, so problems and notes have no location;
  /// a problem names the element.
  package init(
    _ archive: ModelArchive, file: String, versionName: String
  ) throws(PersistenceError) {
    let text = archive.document
    let root = try PersistenceError.ofModel { () throws(DocumentError) in
      try XMLDocument.parse(Array(text.utf8), file: file, limits: ModelArchive.limits)
    }
    do throws(PersistenceError) {
      try self.init(
        root: root, file: file, versionName: versionName, archiveNotes: archive.notes)
    } catch {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      throw error.naming(lines)
    }
  }

  /// The `model` element that the document has.
  var root: XMLElement {
    get throws(PersistenceError) {
      if let declaration { return declaration.root }
      let text = try contents()
      return try PersistenceError.ofModel { () throws(DocumentError) in
        try XMLDocument.parse(Array(text.utf8), file: path)
      }
    }
  }
}

extension ManagedObjectModel {
  /// The model without the lines of its document.
  var withoutLocations: ManagedObjectModel {
    var copy = self
    for entity in copy.entities.indices {
      copy.entities[entity].location = nil
      for place in copy.entities[entity].attributes.indices {
        copy.entities[entity].attributes[place].location = nil
      }
      for place in copy.entities[entity].relationships.indices {
        copy.entities[entity].relationships[place].location = nil
      }
      for place in copy.entities[entity].fetchedProperties.indices {
        copy.entities[entity].fetchedProperties[place].location = nil
      }
    }
    return copy
  }
}

extension PersistenceError {
  /// The error with elements of a document instead of their lines.
  fileprivate func naming(_ lines: [Substring]) -> PersistenceError {
    let line = location.map(\.line).flatMap { lines.indices.contains($0 - 1) ? lines[$0 - 1] : nil }
    let element = line.map { [Detail(label: "element", text: String($0.drop { $0 == " " }))] } ?? []
    return PersistenceError(
      code, message, nearNames: nearNames, details: details + element,
      problems: problems.map { $0.naming(lines) })
  }
}
