// Written by deploy/embed from Sources/Web/WebRemote/page/icon.svg; edit that file.
extension WebRemote {
    static let iconSVG: StaticString = ##"""
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M10 0h44l10 10v44L54 64H10L0 54V10z" fill="#2b2153"/><path d="M10 2.500h44L61.500 10v44L54 61.500H10L2.500 54V10z" fill="none" stroke="#e2c577" stroke-width="1.500"/><path d="M24 14l24-5v31a8 6.500 0 1 1-5-6V19l-14 3v24a8 6.500 0 1 1-5-6z" fill="#f6dc94"/></svg>

        """##
}
