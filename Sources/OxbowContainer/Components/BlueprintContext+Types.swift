extension BlueprintContext {
  /// What delivers the one object that fits a slot, or all that fit a slot for several.
  func byType<Value>(_ slot: Slot<Value>, at place: SupplyPlace) -> Supply<Value>? {
    if let type = Value.self as? any SelfDelivering.Type, let ref = type.delivered() as? Ref<Value>
    {
      return .reference(ref, at: place)
    }
    if let type = Value.self as? any CollectionSlot.Type {
      return collectionByType(type, slot, at: place)
    }
    if let type = Value.self as? any DictionarySlot.Type {
      return dictionaryByType(type, slot, at: place)
    }
    return .reference(slot.reference(by: slot.request(wantsAll: false)), at: place)
  }

  private func collectionByType<Collection: CollectionSlot, Value>(
    _ type: Collection.Type, _ slot: Slot<Value>, at place: SupplyPlace
  ) -> Supply<Value>? {
    let part = slot.part(Collection.Element.self)
    let request = part.request(wantsAll: true)
    return Supply<Collection>(edges: part.edges(by: request, at: place)) { linker in
      CollectionMaker(
        try linker.names(for: request.token).map {
          try linker.maker(of: part.reference(to: $0))
        })
    } as? Supply<Value>
  }

  /// Every object that fits, under its name.
  private func dictionaryByType<Map: DictionarySlot, Value>(
    _ type: Map.Type, _ slot: Slot<Value>, at place: SupplyPlace
  ) -> Supply<Value>? {
    let part = slot.part(Map.Item.self)
    let request = part.request(wantsAll: true)
    return Supply<Map>(edges: part.edges(by: request, at: place)) { linker in
      DictionaryMaker(
        try linker.names(for: request.token).map {
          (key: $0, maker: try linker.maker(of: part.reference(to: $0)))
        })
    } as? Supply<Value>
  }
}

extension Slot {
  fileprivate func request(wantsAll: Bool) -> TypeRequest {
    TypeRequest(Value.self, typeName: "\(Value.self)", wantsAll: wantsAll) { [accepts] type in
      accepts(type) || TypeFit.of(type, in: Value.self) == .fits
    }
  }

  /// The reference that fills the slot with whatever answers a request.
  fileprivate func reference(by request: TypeRequest) -> Ref<Value> {
    var ref = reference(to: request.token)
    ref.request = request
    return ref
  }

  fileprivate func edges(by request: TypeRequest, at place: SupplyPlace) -> [Edge] {
    reference(by: request).edges(place.strength, role: place.role(), at: place.location)
  }
}
