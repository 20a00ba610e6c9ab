/// Packing of texts and optional numbers, shared by both libraries.
package import BatonCore

extension Packer {
    package mutating func put(_ texts: [String]) {
        put(texts.count)
        for text in texts { put(text) }
    }

    /// Any number, or none.
    package mutating func put(maybe number: Int?) {
        guard let number else { return put(UInt64(0)) }
        put(UInt64(bitPattern: Int64((number << 1) ^ (number >> 63))) &+ 1)
    }

    package mutating func put(maybe time: Milliseconds?) { put(maybe: time.map { Int($0) }) }
}

extension Unpacker {
    package mutating func texts() -> [String]? {
        guard let count = int() else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = text() else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// The number, if there is one. The outer optional is `nil` if there was nothing to read.
    package mutating func maybe() -> Int?? {
        number().map { raw in
            guard raw > 0 else { return nil }
            let folded = raw &- 1
            return Int(truncatingIfNeeded: Int64(bitPattern: (folded >> 1) ^ (0 &- (folded & 1))))
        }
    }

    package mutating func maybeTime() -> Milliseconds?? { maybe().map { $0.map { Milliseconds($0) } } }
}
