/// The part of an update that concerns one value: it is unchanged, removed, or set.
/// On the wire: the member is absent, `null`, or a value.
public enum Patch<Value> {
    case unchanged
    case cleared
    case set(Value)

    /// The new value; `nil` both for an unchanged value and for a removed one.
    public var value: Value? { if case .set(let value) = self { value } else { nil } }

    /// The same patch with its value converted.
    public func map<Other, Failure: Error>(_ transform: (Value) throws(Failure) -> Other) throws(Failure) -> Patch<Other> {
        switch self {
        case .unchanged: .unchanged
        case .cleared: .cleared
        case .set(let value): .set(try transform(value))
        }
    }

    /// The value of a reader that held `old`, after this update.
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
