/// Values of the core as both databases store them in a column.
package import BatonCore

extension Database.Value {
    package static func id(_ id: EntryID) -> Database.Value { .int(Int64(bitPattern: id.number)) }
}

extension Row {
    package func id(_ column: Int32) -> EntryID { EntryID(UInt64(bitPattern: int64(column))) }
}

extension Trust {
    /// An unknown number gives the least trust.
    package init(stored number: Int) { self = Trust(rawValue: number) ?? .itemsOnly }
}
