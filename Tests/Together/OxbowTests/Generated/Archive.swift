// swift-format-ignore-file
// Written by `oxbowctl model generate`. Put code of your own into extensions in other files.
// Text: a1eecac09b04d7cc

public import Foundation
public import Oxbow

@Entity(
  unique: [["year", "title"]],
  indexes: [FetchIndexDescription("byYear", elements: [.init("year", isAscending: false), .init("title")])])
public final class Almanac: Volume {
  public var year: Int = -5
}

@Entity(renamedFrom: "Library", hashModifier: "2", userInfo: ["b": "", "owner": "city"])
public final class Archive: ManagedObject {
  @Attribute(renamedFrom: "place")
  public var address: Address?
  @Attribute(rules: AttributeRules(minimum: .date(Date(timeIntervalSinceReferenceDate: -3600.5))))
  public var founded: Date? = Date(timeIntervalSinceReferenceDate: 86400.0)
  @Attribute(rules: AttributeRules(minimumLength: 1, maximumLength: 40), hashModifier: "b")
  public var name: String = "the \"main\" one\\n"
  @Relationship(.cascade, inverse: \.archive)
  public var volumes: [Volume] = []
}

@Entity("Label")
public final class Sticker: ManagedObject {
  public var text: String?
  @Relationship
  public var next: Sticker?
  @Relationship(
    .noAction,
    inverse: \.`in`,
    optional: false,
    renamedFrom: "places",
    minimumCount: 1,
    maximumCount: 9)
  public var `where`: Set<Volume> = []
}

@Entity(abstract: true)
public class Volume: ManagedObject {
  @Attribute(renamedFrom: "kind")
  public var `class`: String?
  public var cover: Data?
  @Attribute(transient: true)
  public var draft: Int32 = 3
  public var home: URL? = URL(string: "https://example.org/a?b=c")
  public var isLent: Bool = false
  @Attribute(rules: AttributeRules(minimum: .integer(1), maximum: .integer(5000)))
  public var pages: Int16 = 1
  @Attribute(rules: AttributeRules(minimum: .decimal(0)))
  public var price: Decimal = Decimal(string: "12.5")!
  public var ratio: Float = 0.1
  @Attribute(userInfo: ["shown": "yes"])
  public var title: String
  public var token: UUID? = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
  @Attribute(rules: AttributeRules(maximum: .double(99.5)))
  public var weight: Double?
  @Relationship(.deny, inverse: \.volumes, optional: false)
  public var archive: Archive?
  @Relationship(inverse: \.`where`)
  public var `in`: Set<Sticker> = []
}

public struct Address: CompositeAttribute {
  public var spot: Point?
  public var street = String.attributePlaceholder

  public init() {}

  public static let parts: [CompositePart<Address>] = [
    CompositePart("spot", \Address.spot),
    CompositePart("street", \Address.street, rules: AttributeRules(maximumLength: 80)),
  ]
}

public struct Point: CompositeAttribute {
  public var x = Double.attributePlaceholder
  public var y: Double?

  public init() {}

  public static let parts: [CompositePart<Point>] = [
    CompositePart("x", \Point.x, defaultValue: 0.5),
    CompositePart("y", \Point.y, renamedFrom: "height"),
  ]
}
