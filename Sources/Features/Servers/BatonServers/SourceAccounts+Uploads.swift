import BatonKernel
package import BatonSeams

/// Uploads of files to servers with accounts. They pass through the hub in pieces.
extension SourceAccounts: UploadAccess {
    /// Limit on running uploads. Each occupies one question of the source until its file has arrived.
    private static let mostUploads = 2
    /// Time limit of an upload. One that hangs ends earlier, by the client's connection or by the server's.
    private static let limit: Duration = .seconds(86_400)

    package func upload(_ content: NamedBytes, to source: String) async throws(SourceFault) -> String {
        _ = try entry(source)
        let connector = try await sources.connector(named: source)
        guard connector.about.abilities.contains(.upload) else {
            throw SourceFault(.unsupported, "The source “\(connector.about.name)” takes no files.")
        }
        guard uploads < Self.mostUploads else {
            throw SourceFault(.unavailable, "Other files are on their way to servers. Try again when they have arrived.")
        }
        uploads += 1
        defer { uploads -= 1 }
        // An upload may use the whole bandwidth to the server, so that other questions time out meanwhile.
        return try await sources.ask(connector, within: Self.limit, outlastsSilence: true) { connector throws(SourceFault) in
            try await connector.upload(content)
        }
    }
}
