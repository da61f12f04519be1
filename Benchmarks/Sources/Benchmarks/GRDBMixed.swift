import GRDB

/// Suite M's row as GRDB's guides have a fast record: hand-written, columns by index.
struct GRDBMixed: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Mixed"
  static let selection = """
    SELECT _id, _version, city, flag, large, latitude, longitude, name, note, small FROM Mixed
    """

  let key: Int64
  let version: Int64
  let name: String
  let city: String
  let note: String
  let small: Int
  let large: Int
  let latitude: Double
  let longitude: Double
  let flag: Bool

  init(_ index: Int) {
    key = Int64(index + 1)
    version = 1
    name = "name number \(index)"
    city = "city \(index % 100)"
    note = "note \(index % 1000) of many"
    small = index % 30000
    large = index * 1_000_003
    latitude = Double(index) * 0.5
    longitude = Double(index) * 0.25
    flag = index % 2 == 0
  }

  init(row: Row) {
    key = row[0]
    version = row[1]
    city = row[2]
    flag = row[3]
    large = row[4]
    latitude = row[5]
    longitude = row[6]
    name = row[7]
    note = row[8]
    small = row[9]
  }

  func encode(to container: inout PersistenceContainer) {
    container["_id"] = key
    container["_version"] = version
    container["city"] = city
    container["flag"] = flag
    container["large"] = large
    container["latitude"] = latitude
    container["longitude"] = longitude
    container["name"] = name
    container["note"] = note
    container["small"] = small
  }
}

extension Mixed {
  /// Sets every property.
  @inline(__always)
  func set(_ sample: GRDBMixed) {
    name = sample.name
    city = sample.city
    note = sample.note
    small = sample.small
    large = sample.large
    latitude = sample.latitude
    longitude = sample.longitude
    flag = sample.flag
  }
}
