/// A number of equal parts of a second: a span, or a point on a clock or in a track. Each unit is a type of its own, so that one is never
/// taken for another.
public protocol CountedTime: AdditiveArithmetic, Comparable, ExpressibleByIntegerLiteral, Hashable, LosslessStringConvertible,
    Sendable
{
    /// The number of units in a second.
    static var perSecond: Int64 { get }

    var count: Int64 { get }

    init(count: Int64)
}

/// Thousandths of a second, for positions in tracks and for the time of day, which counts since 1970.
@frozen public struct Milliseconds: CountedTime {
    @inlinable public static var perSecond: Int64 { 1000 }

    public let count: Int64

    @inlinable public init(count: Int64) { self.count = count }
}

/// Millionths of a second, for the clock of the hub, which counts since the start of its machine.
@frozen public struct Microseconds: CountedTime {
    @inlinable public static var perSecond: Int64 { 1_000_000 }

    public let count: Int64

    @inlinable public init(count: Int64) { self.count = count }
}

extension CountedTime {
    @inlinable public init(_ count: some BinaryInteger) { self.init(count: Int64(count)) }

    /// The part behind the point is cut off.
    @inlinable public init(_ count: Double) { self.init(count: Int64(count)) }

    /// The whole units in a span, or the closest span that there is.
    @inlinable public init(_ span: Duration) {
        let (seconds, attoseconds) = span.components
        self.init(count: seconds.times(Self.perSecond).plus(attoseconds / (1_000_000_000_000_000_000 / Self.perSecond)))
    }

    /// Reads a whole number.
    @inlinable public init?(_ text: some StringProtocol) {
        guard let count = Int64(text) else { return nil }
        self.init(count: count)
    }

    @inlinable public init(integerLiteral value: Int64) { self.init(count: value) }

    @inlinable public static var min: Self { Self(count: .min) }
    @inlinable public static var max: Self { Self(count: .max) }

    @inlinable public var description: String { count.description }

    @inlinable public static func < (one: Self, other: Self) -> Bool { one.count < other.count }

    @inlinable public static func + (one: Self, other: Self) -> Self { Self(count: one.count + other.count) }

    @inlinable public static func - (one: Self, other: Self) -> Self { Self(count: one.count - other.count) }

    @inlinable public static prefix func - (one: Self) -> Self { Self(count: -one.count) }

    @inlinable public static func * (one: Self, factor: Int) -> Self { Self(count: one.count * Int64(factor)) }

    @inlinable public static func / (one: Self, divisor: Int) -> Self { Self(count: one.count / Int64(divisor)) }

    @inlinable public static func % (one: Self, divisor: Int) -> Self { Self(count: one.count % Int64(divisor)) }

    /// The number of times that `other` fits.
    @inlinable public static func / (one: Self, other: Self) -> Int64 { one.count / other.count }

    @inlinable public static func % (one: Self, other: Self) -> Self { Self(count: one.count % other.count) }

    /// The sum, or the closest value that there is.
    @inlinable public func plus(_ other: Self) -> Self { Self(count: count.plus(other.count)) }

    /// The difference, or the closest value that there is.
    @inlinable public func minus(_ other: Self) -> Self { Self(count: count.minus(other.count)) }

    /// The product, or the closest value that there is.
    @inlinable public func times(_ factor: Int) -> Self { Self(count: count.times(Int64(factor))) }

    /// The span without its sign.
    @inlinable public var magnitude: Self { count < 0 ? -self : self }
}

extension Milliseconds {
    /// The whole thousandths in a span.
    @inlinable public init(_ span: Microseconds) { self.init(count: span.count / 1000) }

    /// A span, or the closest that there is.
    @inlinable public static func seconds(_ number: some BinaryInteger) -> Milliseconds {
        Milliseconds(count: Int64(clamping: number).times(1000))
    }

    /// The whole thousandths in a span, or the closest span that there is. What is no number gives none.
    @inlinable public static func seconds(_ number: Double) -> Milliseconds {
        let count = number * 1000
        return Milliseconds(count: count >= 0x1p63 ? .max : count >= -0x1p63 ? Int64(count) : count < 0 ? .min : 0)
    }

    /// The whole seconds.
    @inlinable public var seconds: Int64 { count / 1000 }
}

extension Microseconds {
    /// A span, or the largest that there is.
    @inlinable public init(_ span: Milliseconds) {
        self.init(count: span.count.times(1000))
    }
}

extension FixedWidthInteger {
    @inlinable public init(_ time: some CountedTime) { self.init(time.count) }
}

extension Double {
    @inlinable public init(_ time: some CountedTime) { self.init(time.count) }
}

extension Duration {
    @inlinable public static func milliseconds(_ span: Milliseconds) -> Duration { .milliseconds(span.count) }

    @inlinable public static func microseconds(_ span: Microseconds) -> Duration { .microseconds(span.count) }
}
