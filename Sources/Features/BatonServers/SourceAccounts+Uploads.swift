import BatonKernel
package import BatonSeams

/// Files that people give to servers at which there are accounts. They go through the hub piece by piece.
extension SourceAccounts: UploadAccess {
    /// Each holds one of the source's questions for as long as its file takes to come.
    private static let mostUploads = 2
    /// What hangs is ended sooner, by the connection that the file comes by or by the call to the server.
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
        // It may fill the line to the server, so that nothing else is answered for a while.
        return try await sources.ask(connector, within: Self.limit, outlastsSilence: true) { connector throws(SourceFault) in
            try await connector.upload(content)
        }
    }
}
