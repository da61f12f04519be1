// Where Foundation is imported, its own NSPredicate is meant.
// expect-ok

import Foundation
import Oxbow

func hash(_ predicate: NSPredicate) -> Int { predicate.hash }
