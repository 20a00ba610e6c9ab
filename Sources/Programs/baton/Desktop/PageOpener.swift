import BatonClient
import BatonProtocol
import DesktopBus

/// Opens the page of a hub in the browser of this desktop.
enum PageOpener {
    static func open(_ hub: ReconnectingHub) async throws {
        guard let page = try await address(of: hub) else {
            throw Stop(.refused, "This hub serves no page: it listens on its socket only.")
        }
        guard DesktopProgram.open(page) else {
            throw Stop(.refused, "xdg-open is not installed, so the page \(page) cannot be opened.")
        }
    }

    private static func address(of hub: ReconnectingHub) async throws -> String? {
        switch hub.endpoint {
        case .tcp: "http://\(hub.endpoint)/"
        case .tls: "https://\(hub.endpoint)/"
        case .unix: try await hub.ask(Commands.Info()).pages.first
        }
    }
}
