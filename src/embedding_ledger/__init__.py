"""Embedding Ledger: every number of five course documents, regenerated and checked."""
