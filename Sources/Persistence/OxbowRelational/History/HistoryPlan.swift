internal import OxbowModel
package import OxbowStore

/// What a store notes of each save, by entity.
package final class HistoryPlan: Sendable {
  package let names: HistoryNames

  /// The place before the first save of the store.
  package let origin: HistoryPlace

  /// How much of each entity is noted.
  private let recordings: [HistoryRecording]

  /// Whether nothing is noted of some entity.
  package let leavesOutSome: Bool

  /// The attributes of each entity that are kept after deletion, by property index.
  private let preserved: [[Int]]

  /// Makes the plan of a store.
  ///
  /// An entity may say that less or more of it is noted, with `history` in its user info: `off`,
  /// `keys` or `values`; its sub-entities do as it does.
  package init(
    _ recording: HistoryRecording, _ origin: HistoryPlace, _ names: HistoryNames,
    _ mapping: StoreMapping
  ) {
    self.names = names
    self.origin = origin
    var recordings: [HistoryRecording] = []
    for entity in mapping.model.entities {
      let own = entity.description.userInfo[Self.key].flatMap(HistoryRecording.init(rawValue:))
      recordings.append(own ?? entity.parent.map { recordings[$0] } ?? recording)
    }
    self.recordings = recordings
    leavesOutSome = recordings.contains(.off)
    preserved = mapping.entities.map { entity in
      mapping.model.entities[entity.entity].properties.filter { property in
        property.attribute?.preservesValueInHistoryOnDeletion == true
          && entity.column(ofProperty: property.index) != nil
      }.map(\.index)
    }
  }

  /// The key of user info by which an entity says how much of it is noted.
  package static let key = "history"

  /// How much of an entity is noted.
  package func recording(of entity: Int) -> HistoryRecording { recordings[entity] }

  /// The attributes that are kept when an object is deleted.
  package func preserved(of entity: Int) -> [Int] { preserved[entity] }
}
