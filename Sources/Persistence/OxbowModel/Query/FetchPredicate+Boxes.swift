// Intervals, rectangles and places in code. Each condition is made of plain comparisons.

extension FetchPredicate {
  /// The interval between the values at two paths has a point in common with `range`; the ends of
  /// both belong to them.
  ///
  /// It is `begin <= upper AND end >= lower`. An index of type `RTree` over both attributes answers
  /// it (``FetchIndexDescription/ElementType/rTree``). Where either end has no value it is false.
  public static func overlaps<Value: FetchValueConvertible & Comparable>(
    _ begin: String, _ end: String, _ range: ClosedRange<Value>
  ) -> Self {
    .and([.lessOrEqual(begin, range.upperBound), .greaterOrEqual(end, range.lowerBound)])
  }

  /// The interval between the values at two paths has more than an end in common with `range`:
  /// intervals that only touch it do not overlap it.
  ///
  /// It is `begin < upper AND end > lower`; an empty range overlaps nothing.
  public static func overlaps<Value: FetchValueConvertible & Comparable>(
    _ begin: String, _ end: String, _ range: Range<Value>
  ) -> Self {
    guard !range.isEmpty else { return .constant(false) }
    return .and([.less(begin, range.upperBound), .greater(end, range.lowerBound)])
  }

  /// The place whose latitude and longitude are at the paths is in a box, borders included.
  ///
  /// An ordinary index over both attributes answers it.
  public static func within(latitude: String, longitude: String, _ box: BoundingBox) -> Self {
    .anyOf(
      box.parts.map { part in
        .and([
          .greaterOrEqual(latitude, part.south), .lessOrEqual(latitude, part.north),
          .greaterOrEqual(longitude, part.west), .lessOrEqual(longitude, part.east),
        ])
      })
  }

  /// The area between the values at four paths has a point in common with a box, borders included.
  ///
  /// An index of type `RTree` over south, north, west and east, in this order, answers it. An area
  /// over the date line has to be kept as two areas.
  public static func overlaps(
    south: String, north: String, west: String, east: String, _ box: BoundingBox
  ) -> Self {
    .anyOf(
      box.parts.map { part in
        .and([
          .lessOrEqual(south, part.north), .greaterOrEqual(north, part.south),
          .lessOrEqual(west, part.east), .greaterOrEqual(east, part.west),
        ])
      })
  }

  private static func anyOf(_ parts: [Self]) -> Self { parts.count == 1 ? parts[0] : .or(parts) }
}

/// A part of a map between two latitudes and two longitudes, in degrees.
///
/// Where west is larger than east it goes over the date line, and is two boxes to a store.
/// A box whose south is north of its north has no place.
public struct BoundingBox: Sendable, Hashable, Codable {
  /// The smallest latitude.
  public var south: Double

  /// The largest latitude.
  public var north: Double

  /// The longitude where it begins.
  public var west: Double

  /// The longitude where it ends, going east from ``west``.
  public var east: Double

  /// Creates a box.
  public init(south: Double, north: Double, west: Double, east: Double) {
    (self.south, self.north, self.west, self.east) = (south, north, west, east)
  }

  /// Whether it goes over the date line.
  public var crossesDateLine: Bool { west > east }

  /// The boxes that it is made of: two where it goes over the date line.
  public var parts: [BoundingBox] {
    guard crossesDateLine else { return [self] }
    var (first, second) = (self, self)
    (first.east, second.west) = (180, -180)
    return [first, second]
  }
}
