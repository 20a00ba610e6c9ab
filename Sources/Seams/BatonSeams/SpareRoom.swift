/// Collections that once held many and now hold few: Swift keeps their room for good, unless it is given back.
///
/// Called where something was taken out. Moving what is left costs as much as there is, and happens when three quarters
/// went since the last time, so each removal pays for a fraction of one.
private let smallest = 256

extension Array {
    package mutating func dropSpareRoom() {
        guard capacity > smallest, count < capacity / 4 else { return }
        var fitting: [Element] = []
        fitting.reserveCapacity(count * 2)
        fitting.append(contentsOf: self)
        self = fitting
    }
}

extension Dictionary {
    package mutating func dropSpareRoom() {
        guard capacity > smallest, count < capacity / 4 else { return }
        var fitting = Dictionary(minimumCapacity: count * 2)
        for (key, value) in self { fitting[key] = value }
        self = fitting
    }
}
