// expect-error: optimized builds go by those alone; write 'extension ReportsProxy: ReportsForwarding {}' below the protocol
// expect-error: optimized builds go by those alone; write 'extension Shop.TillProxy: Shop.TillForwarding {}' below the protocol

import Oxbow

@Proxied protocol Stated {
  func state() throws -> Int
}

extension StatedProxy: StatedForwarding {}

@Proxied protocol Reports: Stated {
  func sums() throws -> [Int]
}

enum Shop {
  @Proxied protocol Till: Stated {
    func total() throws -> Int
  }
}
