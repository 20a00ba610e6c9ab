/// The proxies from the environment, in the usual variables: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`. A value, so that the
/// proxy of a call is known in advance.
package struct Proxies: Equatable, Sendable {
    private var byScheme: [String: String] = [:]
    private var all: String?
    private var exceptions: [String] = []

    package init() {}

    /// `HTTP_PROXY` in capitals is ignored, since clients of a web server could set it (CVE-2016-5385).
    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        byScheme["http"] = value("http_proxy")
        byScheme["https"] = value("https_proxy", "HTTPS_PROXY")
        all = value("all_proxy", "ALL_PROXY")
        let names = value("no_proxy", "NO_PROXY") ?? ""
        exceptions = names.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
    }

    /// The proxy for this server, or `nil` for a direct connection.
    package func proxy(scheme: String, host: String) -> String? {
        guard let proxy = byScheme[scheme] ?? all, !isExcepted(host) else { return nil }
        return proxy
    }

    private func isExcepted(_ host: String) -> Bool {
        let bare = host.drop { $0 == "[" }.prefix { $0 != "]" }
        return exceptions.contains { exception in
            let name = exception.drop { $0 == "." }
            return exception == "*" || (!name.isEmpty && (bare == name || bare.hasSuffix("." + name)))
        }
    }
}
