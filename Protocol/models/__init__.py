"""The models of promises of the protocol."""
