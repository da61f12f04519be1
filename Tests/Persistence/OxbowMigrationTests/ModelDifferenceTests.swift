import OxbowMigration
import OxbowModel
import Testing

@Suite struct ModelDifferenceTests {
  func lines(_ before: ManagedObjectModel, _ after: ManagedObjectModel) -> [String] {
    ModelDifference(from: before, to: after).changes.map(\.description)
  }

  @Test func `a model does not differ from itself`() {
    #expect(ModelDifference(from: Models.second, to: Models.second).isEmpty)
  }

  @Test func `renames, additions and removals are distinguished`() {
    #expect(
      lines(Models.first, Models.second) == [
        "rename attribute 'File.byteCount' (was 'size')",
        "add attribute 'File.rank' (Integer 32, default 7)",
        "add relationship 'File.labels' (to-many 'Label', inverse 'files', optional)",
        "add entity 'Label'",
      ])
    #expect(
      lines(Models.first, Models.first.changing("File") { $0.attributes.removeLast() }) == [
        "remove attribute 'File.kind'"
      ])
  }

  @Test func `what is said otherwise is named with both values`() {
    let after = Models.first.changing("File") { file in
      file.attributes[0].isOptional = true
      file.attributes[1].type = .integer32
      file.attributes[1].defaultValue = .integer(1)
      file.relationships[0].isOptional = true
      file.relationships[0].deleteRule = .deny
      file.fetchIndexes = []
      file.uniquenessConstraints = [["name", "size"]]
    }
    let difference = ModelDifference(from: Models.first, to: after)
    #expect(
      difference.changes.map(\.description) == [
        "change attribute 'File.name': optional no → yes",
        "change attribute 'File.size': type Integer 64 → Integer 32",
        "change attribute 'File.size': default none → 1",
        "change relationship 'File.folder': optional no → yes",
        "change relationship 'File.folder': delete rule Nullify → Deny",
        "add uniqueness constraint 'File.name+size'",
        "remove fetch index 'File.byName'",
      ])
    #expect(difference.changes.filter { !$0.isStored }.count == 2)
  }

  @Test func `an entity is renamed by its identifier, with everything that leads to it`() {
    let after = ManagedObjectModel(
      entities: Models.first.entities.map { entity in
        var entity = entity
        if entity.name == "Folder" {
          entity.name = "Directory"
          entity.renamingIdentifier = "Folder"
        } else {
          entity.relationships[0].destination = "Directory"
        }
        return entity
      })
    #expect(lines(Models.first, after) == ["rename entity 'Directory' (was 'Folder')"])
  }

  @Test func `an identifier that stays means the same property in later models`() {
    let third = Models.second.changing("File") { $0.attributes[1].name = "length" }
    #expect(
      lines(Models.second, third) == ["rename attribute 'File.length' (was 'byteCount')"])
    // The name of before may be given to something new.
    let fourth = Models.second.changing("File") {
      $0.attributes.append(AttributeDescription("size", .string, isOptional: true))
    }
    #expect(lines(Models.second, fourth) == ["add attribute 'File.size' (String, optional)"])
  }

  @Test func `without an identifier a rename is a removal and an addition`() {
    let after = Models.first.changing("File") { $0.attributes[2].name = "sort" }
    #expect(
      lines(Models.first, after) == [
        "add attribute 'File.sort' (String, optional)", "remove attribute 'File.kind'",
      ])
  }

  @Test func `what moves between levels is neither removed nor new (review M24)`() {
    func model(_ r: [String], _ u: [String], _ v: [String]) -> ManagedObjectModel {
      func attributes(_ names: [String]) -> [AttributeDescription] {
        names.map { AttributeDescription($0, .string, isOptional: true) }
      }
      return ManagedObjectModel(entities: [
        EntityDescription("R", attributes: attributes(r)),
        EntityDescription("U", parent: "R", attributes: attributes(u)),
        EntityDescription("V", parent: "R", attributes: attributes(v)),
      ])
    }
    func changes(_ before: ManagedObjectModel, _ after: ManagedObjectModel) -> [String] {
      ModelDifference(from: before, to: after).changes.map(\.description)
    }
    #expect(
      changes(model([], ["x", "y"], ["x"]), model(["x"], ["y"], [])) == [
        "move attribute 'R.x' (was 'U.x', 'V.x')"
      ])
    #expect(
      changes(model(["x"], [], []), model([], ["x"], [])) == [
        "move attribute 'U.x' (was 'R.x')"
      ])
    #expect(
      changes(model(["x"], [], []), model([], [], [])) == ["remove attribute 'R.x'"])
    let parts = model(["x"], [], [])
    let above = parts.changing("R") {
      $0.parent = "P"
      $0.attributes = []
    }.adding(EntityDescription("P", attributes: parts.entities[0].attributes))
    #expect(
      Set(changes(parts, above)) == [
        "add entity 'P'", "move attribute 'P.x' (was 'R.x')", "change entity 'R': parent none → P",
      ])
  }
}
