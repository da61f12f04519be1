import Oxbow

// Protocols of every access level, each with one implementation.

@Proxied public protocol Everywhere { func words() throws -> [String] }
public final class OnlyEverywhere: Everywhere, Sendable {
  let kept = ["everywhere"]
  public func words() throws -> [String] { kept }
}

@Proxied package protocol Package { func words() throws -> [String] }
package final class OnlyPackage: Package, Sendable {
  let kept = ["package"]
  package func words() throws -> [String] { kept }
}

@Proxied @usableFromInline protocol Usable { func words() throws -> [String] }
extension UsableProxy: UsableForwarding {}
final class OnlyUsable: Usable, Sendable {
  let kept = ["usable from inline"]
  @usableFromInline func words() throws -> [String] { kept }
}

/// The only class that adopts the forwarding protocol by hand.
final class ByHand: UsableForwarding, Sendable {
  let object = OnlyUsable()
  @usableFromInline func words() throws -> [String] { try object.words() + ["by hand"] }
  func _targetUsable() throws -> any Usable { object }
}

@Proxied internal protocol Module { func words() throws -> [String] }
extension ModuleProxy: ModuleForwarding {}
final class OnlyModule: Module, Sendable {
  let kept = ["internal"]
  func words() throws -> [String] { kept }
}

@Proxied fileprivate protocol File { func words() throws -> [String] }
extension FileProxy: FileForwarding {}
fileprivate final class OnlyFile: File, Sendable {
  let kept = ["fileprivate"]
  func words() throws -> [String] { kept }
}

@Proxied private protocol Hidden { func words() throws -> [String] }
extension HiddenProxy: HiddenForwarding {}
private final class OnlyHidden: Hidden, Sendable {
  let kept = ["private"]
  func words() throws -> [String] { kept }
}

enum Shop {
  @Proxied protocol Till { func words() throws -> [String] }

  final class OnlyTill: Till, Sendable {
    let kept = ["nested"]
    func words() throws -> [String] { kept }
  }
}
extension Shop.TillProxy: Shop.TillForwarding {}

/// A type that only this module sees, around a protocol that says it is public.
enum Market {
  @Proxied public protocol Stall { func words() throws -> [String] }

  final class OnlyStall: Stall, Sendable {
    let kept = ["public in an internal type"]
    func words() throws -> [String] { kept }
  }
}
extension Market.StallProxy: Market.StallForwarding {}

func show(_ object: any Everywhere) throws { print(try object.words()) }
func show(_ object: any Package) throws { print(try object.words()) }
func show(_ object: any Usable) throws { print(try object.words()) }
func show(forwarding object: any UsableForwarding) throws { print(try object.words()) }
func show(_ object: any Module) throws { print(try object.words()) }
fileprivate func show(_ object: any File) throws { print(try object.words()) }
private func show(_ object: any Hidden) throws { print(try object.words()) }
func show(_ object: any Shop.Till) throws { print(try object.words()) }
func show(_ object: any Market.Stall) throws { print(try object.words()) }

try show(EverywhereProxy.lazy { OnlyEverywhere() })
try show(PackageProxy.lazy { OnlyPackage() })
try show(UsableProxy.lazy { OnlyUsable() })
try show(forwarding: UsableProxy.lazy { OnlyUsable() })
try show(forwarding: ByHand())
try show(ModuleProxy.lazy { OnlyModule() })
try show(FileProxy.lazy { OnlyFile() })
try show(HiddenProxy.lazy { OnlyHidden() })
try show(Shop.TillProxy.lazy { Shop.OnlyTill() })
try show(Market.StallProxy.lazy { Market.OnlyStall() })
