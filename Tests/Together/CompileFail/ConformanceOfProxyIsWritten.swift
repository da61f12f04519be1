// expect-ok

import Oxbow

@Proxied public protocol Seen: Sendable {
  func see() throws -> Int
}

@Proxied @usableFromInline protocol Used {
  func use() throws -> Int
}

extension UsedProxy: UsedForwarding {}

@Proxied private protocol Kept<Key> {
  associatedtype Key: Hashable & Sendable
  func keep(_: Key, as _: String) throws -> Int
}

extension KeptProxy: KeptForwarding {}

@Proxied protocol Odd: AnyObject {
  func ask(target: Int, _borrowed: Int, _callObserver: Int, _targetOdd: Int) throws -> Int
  subscript(newValue: Int, _borrowed _: Int) -> Int { get set }
  subscript(_: String) -> Int { get throws }
}

extension OddProxy: OddForwarding {}
