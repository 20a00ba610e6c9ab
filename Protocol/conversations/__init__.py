"""Golden conversations: what crosses a connection in the usual cases and in the hard ones, byte by byte."""
