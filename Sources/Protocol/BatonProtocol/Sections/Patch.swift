/// What a partial update says about one thing: nothing, that it is gone, or what it is now.
/// On the wire: the member is absent, `null`, or a value.
public enum Patch<Value> {
    case unchanged
    case cleared
    case set(Value)

    public var value: Value? { if case .set(let value) = self { value } else { nil } }

    /// The same patch of a value made from this one's.
    public func map<Other, Failure: Error>(_ transform: (Value) throws(Failure) -> Other) throws(Failure) -> Patch<Other> {
        switch self {
        case .unchanged: .unchanged
        case .cleared: .cleared
        case .set(let value): .set(try transform(value))
        }
    }

    /// What somebody who held `old` holds now.
    public func applied(to old: Value?) -> Value? {
        switch self {
        case .unchanged: old
        case .cleared: nil
        case .set(let value): value
        }
    }
}

extension Patch: Equatable where Value: Equatable {}
extension Patch: Sendable where Value: Sendable {}
