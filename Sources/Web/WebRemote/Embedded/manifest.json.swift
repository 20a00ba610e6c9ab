// Written by deploy/embed from Sources/Web/WebRemote/page/manifest.json; edit that file.
extension WebRemote {
    static let manifestJSON: StaticString = ##"""
        {
          "name": "Baton",
          "short_name": "Baton",
          "description": "What plays in the house, conducted from here.",
          "start_url": "/",
          "display": "standalone",
          "background_color": "#e9e3f7",
          "theme_color": "#e9e3f7",
          "icons": [{ "src": "/page/@/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable" }]
        }

        """##
}
