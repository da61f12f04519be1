internal import OxbowModel
internal import OxbowStore

/// What a step from one state of a graph to another changes: each property, link and object once.
///
/// A delta can be inverted, and made by a ``DeltaApplier``. What goes to a store is a `ChangeSet`.
/// Objects are named by references, which outlive a sweep; those that come and go are held, so that
/// they can come back as the same objects.
struct GraphDelta {
  /// What programs call it.
  var name: String?

  var attributes: [Attribute] = []
  var increments: [Increment] = []
  var links: [LinkChange] = []
  var orders: [Order] = []

  /// Links that began and whose objects went with it: what comes back with its edits may still have
  /// them.
  var passing: [Link] = []

  /// The objects that come, and those that go.
  var appeared: [Object] = []
  var vanished: [Object] = []

  /// An attribute's value before and after.
  struct Attribute {
    let object: ObjectReference
    let property: Int
    var before: Value
    var after: Value

    struct Value {
      var value: AttributeValue?

      /// Whether the value of a transient attribute is an edit.
      var isEdit = true

      /// What is to be added to the store's value.
      var increment: AttributeValue?
    }

    var inverted: Self { Self(object: object, property: property, before: after, after: before) }
  }

  /// What is added to an attribute, whatever others add or set; and what is to be added to the
  /// store's value in all, before and after, where that is known.
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

  /// A link that begins or ends.
  struct LinkChange {
    let link: Link
    let isAdded: Bool

    /// The member, where it must not be swept out.
    var member: ManagedObject?
  }

  /// A relationship of an object.
  struct End: Hashable {
    let object: ObjectReference
    let property: Int
  }

  /// The members of an ordered relationship before and after; those that neither names come last,
  /// or first.
  struct Order {
    let end: End
    var before = MemberList()
    let after: MemberList
    var othersAreFirst = false
  }

  /// An object, and the attributes that it has where it is gone, by property index.
  struct Object {
    let object: ManagedObject
    var values: [(property: Int, value: AttributeValue?)] = []
  }

  var isEmpty: Bool {
    attributes.isEmpty && increments.isEmpty && links.isEmpty && orders.isEmpty && appeared.isEmpty
      && vanished.isEmpty
  }

  /// What takes it back.
  var inverted: GraphDelta {
    GraphDelta(
      name: name, attributes: attributes.map(\.inverted), increments: increments.map(\.inverted),
      links: links.reversed().map {
        LinkChange(link: $0.link, isAdded: !$0.isAdded, member: $0.member)
      },
      orders: orders.map { Order(end: $0.end, before: $0.after, after: $0.before) },
      passing: passing, appeared: vanished, vanished: appeared)
  }

  /// Adds the end of a link without inverse, whose member went with it; `members` are those of an
  /// ordered relationship before.
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
  /// The attributes that an object has now.
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
