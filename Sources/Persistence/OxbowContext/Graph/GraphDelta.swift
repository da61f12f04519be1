internal import OxbowModel
internal import OxbowStore

/// A step from one state of a graph to another: each changed property, link and object once.
///
/// A delta can be inverted, and a ``DeltaApplier`` applies it. A store gets a `ChangeSet` instead.
/// Objects are named by references, which outlive a sweep; objects that come and go are held, so
/// that they can come back as the same objects.
struct GraphDelta {
  /// The name that the program gave it.
  var name: String?

  var attributes: [Attribute] = []
  var increments: [Increment] = []
  var links: [LinkChange] = []
  var orders: [Order] = []

  /// Links that began and then vanished with their objects: an object that comes back with its
  /// edits may still have them.
  var passing: [Link] = []

  /// The objects that come, and those that go.
  var appeared: [Object] = []
  var vanished: [Object] = []
  struct Attribute {
    let object: ObjectReference
    let property: Int
    var before: Value
    var after: Value

    struct Value {
      var value: AttributeValue?

      /// Whether the value of a transient attribute is an edit.
      var isEdit = true

      /// The increment of the store's value.
      var increment: AttributeValue?
    }

    var inverted: Self { Self(object: object, property: property, before: after, after: before) }
  }

  /// An increment of an attribute, whatever others add or set; `totals` are all unsaved increments
  /// before and after, if known.
  struct Increment {
    let object: ObjectReference
    let property: Int
    let by: AttributeValue
    var totals: (before: AttributeValue?, after: AttributeValue?)?

    var inverted: Self {
      Self(
        object: object, property: property, by: by.negated ?? by,
        totals: totals.map { ($0.after, $0.before) })
    }
  }

  /// A link, named by one of its two relationships.
  typealias Link = ChangeSet.Link
  struct LinkChange {
    let link: Link
    let isAdded: Bool

    /// The member, if it must not be swept.
    var member: ManagedObject?
  }

  /// A relationship of an object.
  struct End: Hashable {
    let object: ObjectReference
    let property: Int
  }

  /// The members of an ordered relationship before and after; members that neither names come last,
  /// or first.
  struct Order {
    let end: End
    var before = MemberList()
    let after: MemberList
    var othersAreFirst = false
  }

  /// An object, and its attributes by property index if it is gone.
  struct Object {
    let object: ManagedObject
    var values: [(property: Int, value: AttributeValue?)] = []
  }

  var isEmpty: Bool {
    attributes.isEmpty && increments.isEmpty && links.isEmpty && orders.isEmpty && appeared.isEmpty
      && vanished.isEmpty
  }

  /// The delta that takes it back.
  var inverted: GraphDelta {
    GraphDelta(
      name: name, attributes: attributes.map(\.inverted), increments: increments.map(\.inverted),
      links: links.reversed().map {
        LinkChange(link: $0.link, isAdded: !$0.isAdded, member: $0.member)
      },
      orders: orders.map { Order(end: $0.end, before: $0.after, after: $0.before) },
      passing: passing, appeared: vanished, vanished: appeared)
  }

  /// Adds the end of a link without inverse whose member is gone; `members` are those of an ordered
  /// relationship before.
  mutating func loseMember(_ link: Link, _ members: MemberList?) {
    if let index = links.firstIndex(where: { $0.isAdded && $0.link == link }) {
      links.remove(at: index)
    } else {
      links.append(LinkChange(link: link, isAdded: false))
    }
    let end = End(object: link.owner, property: link.relationship.property)
    guard let members, !orders.contains(where: { $0.end == end }) else { return }
    var after = members
    after.remove(link.member)
    orders.append(Order(end: end, before: members, after: after))
  }
}

extension GraphDelta.Object {
  init(of object: ManagedObject) {
    self.object = object
    values = object.entity.properties.compactMap { property in
      guard let attribute = property.attribute, attribute.derivation == nil,
        !property.isComposite, let value = object.valueInMemory(of: property)
      else { return nil }
      return (property.index, value)
    }
  }
}
