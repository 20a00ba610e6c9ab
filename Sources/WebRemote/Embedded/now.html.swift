// Written by deploy/embed from Sources/WebRemote/page/now.html; edit that file.
extension WebRemote {
    static let nowHTML: StaticString = ##"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1">
        <link rel="icon" href="/page/@/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="/page/@/themes.css">
        <link rel="stylesheet" href="/page/@/now.css">
        <script src="/page/@/first.js"></script>
        <script type="module" src="/page/@/now.js" blocking="render"></script>
        <title>Now playing</title>
        </head>
        <body>
        <a href="/" target="_blank" rel="noopener" aria-label="Open the remote">
          <i id="light"></i>
          <p id="where"></p>
          <h1 id="title" dir="auto">Baton</h1>
          <p id="artist" dir="auto"></p>
          <i id="line"></i>
        </a>
        </body>
        </html>

        """##
}
