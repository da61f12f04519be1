// Xcode has no default for bytes, and so no place for one. It is an entry of the user info, which
// Xcode keeps (decision 0238).

internal import OxbowDocuments
internal import OxbowFoundation

extension AttributeDescription {
  /// The key of the entry, whose value is the bytes in base64.
  static let bytesKey = "oxbow.defaultValue"

  /// The user info with a default of bytes, and with how the attribute is searched.
  var writtenUserInfo: [String: String] {
    let userInfo = userInfoWithSearch
    guard case .data(let bytes) = defaultValue else { return userInfo }
    return userInfo.merging([Self.bytesKey: bytes.base64EncodedString()]) { _, new in new }
  }

  /// Makes the entry the default that it encodes; one that is not base64 stays an entry.
  mutating func takeWrittenBytes() {
    guard type == .binaryData || type == .transformable, let text = userInfo[Self.bytesKey],
      let bytes = ScalarText.bytes(text)
    else { return }
    defaultValue = .data(bytes)
    userInfo[Self.bytesKey] = nil
  }
}
