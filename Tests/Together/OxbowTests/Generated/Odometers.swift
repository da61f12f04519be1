// swift-format-ignore-file
// Written by `oxbowctl model generate`. Put code of your own into extensions in other files.
// Text: a0349c36076e1198

import Foundation
import Oxbow

@Entity
final class Odometer: ManagedObject {
  var born: Date?
  var boxed: Int32?
  @Attribute(transient: true, nilAs: 0)
  var draft: Int32
  @Attribute(nilAs: 0)
  var hits: Int32
  @Attribute(nilAs: false)
  var isOn: Bool
  var name: String?
  @Attribute(nilAs: 0, rules: AttributeRules(minimum: .integer(1)))
  var rank: Int16 = 3
  @Attribute(renamedFrom: "share", nilAs: 0)
  var ratio: Double
  var total: Int64 = 0
  @Attribute(nilAs: 0)
  var views: Int64
  @Attribute(nilAs: 0)
  var weight: Float
}
