/// Shrinks collections that have become much smaller: Swift never releases their capacity by itself.
///
/// Called after removals. The remaining elements are copied only after three quarters are gone, so each removal pays for a fraction of a copy.
private let smallest = 256

extension Array {
    /// Releases capacity when three quarters of it are unused.
    package mutating func dropSpareRoom() {
        guard capacity > smallest, count < capacity / 4 else { return }
        var fitting: [Element] = []
        fitting.reserveCapacity(count * 2)
        fitting.append(contentsOf: self)
        self = fitting
    }
}

extension Dictionary {
    /// Releases capacity when three quarters of it are unused.
    package mutating func dropSpareRoom() {
        guard capacity > smallest, count < capacity / 4 else { return }
        var fitting = Dictionary(minimumCapacity: count * 2)
        for (key, value) in self { fitting[key] = value }
        self = fitting
    }
}
