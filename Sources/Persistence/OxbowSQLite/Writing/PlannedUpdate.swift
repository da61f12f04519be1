internal import OxbowRelational
internal import OxbowStore

/// An update with the columns that it sets: attributes first, then links.
struct PlannedUpdate {
  let update: ChangeSet.Update
  let links: [LinkAssignments.Cell]
  let columns: [Int]
}
