"""The judge of hubs and of clients."""
