// Written by deploy/embed from Sources/Web/WebRemote/page/now.html; edit that file.
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
          <div id="cover"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9 3.500L20 1v14.500a3.500 3 0 1 1-2.500-2.900V6L11.500 7.400v10.100a3.500 3 0 1 1-2.500-2.900z"/></svg><div id="art"></div><i id="light"></i></div>
          <p id="where"></p>
          <h1 id="title" dir="auto">Baton</h1>
          <p id="artist" dir="auto"></p>
          <i id="line"></i>
        </a>
        </body>
        </html>

        """##
}
