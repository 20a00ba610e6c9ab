import CAvahi

/// Conversion between Avahi's strings and Swift's. Everything is copied.
enum AvahiStrings {
    /// Passes a TXT record, in the given order, to a call.
    static func withList<Result>(of strings: [String], _ body: (UnsafeMutablePointer<AvahiStringList>?) -> Result) -> Result {
        // Avahi adds each string in front of the others.
        var list: UnsafeMutablePointer<AvahiStringList>?
        for string in strings.reversed() { unsafe list = baton_avahi_string_list_add(list, string) }
        defer { unsafe baton_avahi_string_list_free(list) }
        return unsafe body(list)
    }

    static func strings(in list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var node = unsafe list
        while let here = unsafe node {
            let count = unsafe baton_avahi_string_list_get_size(here)
            strings.append(unsafe Array(UnsafeBufferPointer(start: baton_avahi_string_list_get_text(here), count: count)))
            unsafe node = baton_avahi_string_list_get_next(here)
        }
        return strings
    }

    /// The next name to try when `name` is taken: `Hub` gives `Hub #2`, and that gives `Hub #3`.
    static func alternative(to name: String) -> String {
        guard let next = unsafe baton_avahi_alternative_service_name(name) else { return name + " #2" }
        defer { unsafe baton_avahi_free(next) }
        return unsafe String(cString: next)
    }

    static func text(of address: UnsafePointer<AvahiAddress>) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let start = text.baseAddress else { return "" }
            unsafe baton_avahi_address_snprint(start, text.count, address)
            return unsafe String(cString: start)
        }
    }
}
