package import BatonCore

/// Members, written with one call.
extension JSONWriter {
    package mutating func member(_ name: StaticString, _ value: String) {
        self.name(name)
        string(value)
    }

    package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
        self.name(name)
        int(value)
    }

    package mutating func member(_ name: StaticString, _ value: some CountedTime) {
        self.name(name)
        int(value)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        self.name(name)
        bool(value)
    }

    package mutating func member(_ name: StaticString, _ value: [String]) {
        self.name(name)
        array { for element in value { $0.string(element) } }
    }

    package mutating func member(_ name: StaticString, _ value: JSON) {
        self.name(name)
        self.value(value)
    }

    /// A range, as its two ends.
    package mutating func member(_ name: StaticString, _ range: ClosedRange<Int>) {
        self.name(name)
        array {
            $0.int(range.lowerBound)
            $0.int(range.upperBound)
        }
    }

    /// Writes nothing for an absent value.
    package mutating func member(_ name: StaticString, ifPresent value: String?) {
        if let value { member(name, value) }
    }

    package mutating func member(_ name: StaticString, ifPresent value: (some CountedTime)?) {
        if let value { member(name, value) }
    }

    package mutating func member(_ name: StaticString, ifPresent value: (some BinaryInteger)?) {
        if let value { member(name, value) }
    }

    /// Writes a flag of an envelope: 1, or nothing.
    package mutating func flag(_ name: StaticString, _ value: Bool) {
        if value { member(name, 1) }
    }

    package mutating func member(_ name: StaticString, object body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    package mutating func member(_ name: StaticString, array body: (inout JSONWriter) -> Void) {
        self.name(name)
        array(body)
    }
}
