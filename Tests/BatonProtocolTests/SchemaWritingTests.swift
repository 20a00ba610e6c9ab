/// Answers and sections are written as `Protocol/schema/README.md` says: members in the order of their schema, and left out, cut or
/// counted by its keywords. The values are made from the schemas, read as a client reads them, and written again.
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct SchemaWritingTests {
    private static let limits: JSONLimits = {
        var limits = JSONLimits()
        (limits.depth, limits.members, limits.stringBytes) = (16, 200, 100_000)
        return limits
    }()

    /// Members that no value here has: those that are written only where a list ends sooner, and those that the hub knows of an entry
    /// and does not repeat in rows.
    private static let unwritten: [String: Set<String>] = [
        "hub/data/lib.item": ["lyrics/more"],
        // The people who are connected are a list here.
        "hub/data/people.list": ["n"],
        "hub/data/queue.get": ["rows/[]/fmt", "rows/[]/art/w", "rows/[]/art/h", "rows/[]/art/colours"],
    ]
    /// Flags that follow from another member.
    private static let derived: Set<String> = ["smart", "timed"]

    /// A value as it is written again after it was read.
    private static func written(_ value: JSON?, _ file: String, page: Int = WireLimits.standard.pageBytes) throws -> JSON {
        let value = try #require(value)
        let name = String(try #require(file.split(separator: "/").last))
        if file.hasPrefix("section/") {
            let section = try #require(Section.named(name))
            let content = try #require(try section.content(value))
            return try parse(text { write(content.encode, into: &$0) }, limits: limits)
        }
        let kind = try #require(CommandKind.named(name))
        let content = try #require(kind.content).init(from: value)
        return try parse(text { write({ content.encode(into: &$0, bytes: page) }, into: &$0) }, limits: limits)
    }

    /// Writes for a client that has every capability.
    private static func write(_ encode: (inout JSONWriter) -> Void, into writer: inout JSONWriter) {
        writer.givesReasons = true
        encode(&writer)
    }

    @Test(arguments: WrittenSchema.files()) func `members are written in the order of the schema`(file: String) throws {
        let schema = try WrittenSchema(file)
        let places = schema.places
        var comparison = WrittenSchema.Comparison()
        for variant in 0..<WrittenSchema.variants {
            let whole = schema.made(variant)
            schema.compare(try Self.written(whole, file), into: &comparison)
            // Some members are written only where another one is absent. Others cannot be absent in the same way.
            for place in places where place.isMember && !place.isRequired {
                guard let value = try? Self.written(whole.replacing(place.path[...], with: nil), file) else { continue }
                schema.compare(value, into: &comparison)
            }
        }
        #expect(comparison.misplaced.isEmpty)
        let unseen = Set(places.filter(\.isMember).map(\.path.text)).subtracting(comparison.seen)
        let inner = unseen.filter { path in unseen.contains { path.hasPrefix($0 + "/") } }
        #expect(unseen.subtracting(inner) == Self.unwritten[file] ?? [])
    }

    @Test(arguments: WrittenSchema.files()) func `a value with x-omit is left out, and no other one`(file: String) throws {
        let schema = try WrittenSchema(file)
        for place in schema.places where place.isMember && !place.isRequired || place["x-omit"] != nil {
            let whole = try Self.whole(schema, file, with: place)
            if let value = place["x-omit"] {
                let written = try Self.written(whole.replacing(place.path[...], with: value), file)
                #expect(written.values(at: place.path[...]).isEmpty, "\(place.path.text): \(value)")
            } else if place["x-flag"] == nil, let value = place.emptiest, place.path.text != "to" {
                // The last moment of a radio's past, 0, would lie before its first.
                guard let written = try? Self.written(whole.replacing(place.path[...], with: value), file) else { continue }
                let wasThere = try !Self.written(whole, file).values(at: place.path[...]).isEmpty
                #expect(written.values(at: place.path[...]).isEmpty != wasThere, "\(place.path.text): \(value)")
            }
        }
    }

    @Test(arguments: WrittenSchema.files()) func `a text is cut to x-text, and no other one`(file: String) throws {
        let schema = try WrittenSchema(file)
        let long = String(repeating: "a", count: 5000)
        for place in schema.places where place["type"] == "string" && place["pattern"] == nil {
            let whole = try Self.whole(schema, file, with: place)
            let sent = whole.replacing(place.path[...], with: .string(long))
            switch place["x-text"] {
            case .string("watch")?: try Self.expect(DisplayText.watch.cut(long), at: place, Self.written(sent, file))
            case .int(let bytes)?: try Self.expect(DisplayText(bytes: Int(bytes)).cut(long), at: place, Self.written(sent, file))
            case let other:
                #expect(other == nil)
                // It may be refused, be too long to stand in a list, or be written from another member.
                let found = (try? Self.written(sent, file))?.values(at: place.path[...]) ?? []
                let before = whole.values(at: place.path[...])
                #expect(found.allSatisfy { $0 == .string(long) || before.contains($0) }, "\(place.path.text) is cut")
            }
        }
    }

    private static func expect(_ text: String, at place: WrittenSchema.Node, _ written: JSON) throws {
        let found = written.values(at: place.path[...])
        #expect(!found.isEmpty && found.allSatisfy { $0 == .string(text) }, "\(place.path.text): \(found)")
    }

    @Test(arguments: WrittenSchema.files()) func `a flag is written as a number, and left out where it may only be 1`(file: String) throws {
        let schema = try WrittenSchema(file)
        for place in schema.places where place["x-flag"] != nil {
            let whole = try Self.whole(schema, file, with: place)
            let raised = try Self.written(whole.replacing(place.path[...], with: 1), file).values(at: place.path[...])
            #expect(raised.allSatisfy { $0 == 1 }, "\(place.path.text): \(raised)")
            if case .member(let name)? = place.path.last, Self.derived.contains(name) { continue }
            let lowered = try Self.written(whole.replacing(place.path[...], with: 0), file).values(at: place.path[...])
            #expect(lowered.allSatisfy { place["const"] == nil && $0 == 0 }, "\(place.path.text): \(lowered)")
        }
    }

    @Test(arguments: WrittenSchema.files()) func `a list ends with its page or after its first elements, and counts the rest`(
        file: String
    ) throws {
        let schema = try WrittenSchema(file)
        let count = 1000
        for place in schema.places where place["x-page"] != nil || place["x-first"] != nil {
            let whole = try Self.whole(schema, file, with: place)
            let element = try #require(whole.values(at: (place.path + [Step.element])[...]).first)
            var sent = whole.replacing(place.path[...], with: .array(Array(repeating: element, count: count)))
            let more = place["x-more"]?.string.map { name in Array(place.path.dropLast()) + [Step.member(name)] }
            if let more { sent = sent?.replacing(more[...], with: nil) }
            let page = place["x-page"] == nil ? WireLimits.standard.pageBytes : 4000

            let written = try Self.written(sent, file, page: page)

            let found = try #require(written.values(at: place.path[...]).first?.array)
            if let first = place["x-first"]?.int, place["x-page"] == nil {
                #expect(found.count == Int(first), "\(place.path.text)")
            } else {
                #expect(found.count < count, "\(place.path.text)")
            }
            if let more { #expect(written.values(at: more[...]) == [.int(Int64(count - found.count))], "\(place.path.text)") }
            if let spare = place["x-page"]?.int {
                let section = file.hasPrefix("section/") ? Section.named(String(file.dropFirst("section/".count))) : nil
                try Self.expectFull(found, in: written, upTo: (section?.cap ?? page) - Int(spare), at: place)
            }
        }
    }

    /// The list ends below `end`, and another element like its last one would not.
    private static func expectFull(_ list: [JSON], in written: JSON, upTo end: Int, at place: WrittenSchema.Node) throws {
        let whole = written.description
        let last = try #require(list.last).description
        let behind = try #require(whole.range(of: last, options: .backwards)).upperBound
        let bytes = whole[..<behind].utf8.count
        #expect(bytes <= end && bytes + last.utf8.count + 1 > end, "\(place.path.text): \(bytes) of \(end)")
    }

    /// The first variant of a value in which a place is written; the first of all where it is written in none.
    private static func whole(_ schema: WrittenSchema, _ file: String, with place: WrittenSchema.Node) throws -> JSON {
        for step in 0..<WrittenSchema.variants {
            let value = schema.made((place.variant + step) % WrittenSchema.variants)
            if try !written(value, file).values(at: place.path[...]).isEmpty { return value }
        }
        return schema.made(place.variant)
    }
}

extension WrittenSchema.Node {
    /// The value that a writer is most likely to leave out; `nil` where its schema does not allow one.
    fileprivate var emptiest: JSON? {
        switch self["const"] {
        case .bool?: return false
        case .int?: return 0
        case nil: break
        default: return nil
        }
        switch self["type"]?.string {
        case "boolean": return false
        case "string": return self["pattern"] == nil ? "" : nil
        case "integer": return (self["minimum"]?.int ?? 0) <= 0 ? 0 : nil
        case "array": return self["minItems"] == nil ? [] : nil
        default: return nil
        }
    }
}
