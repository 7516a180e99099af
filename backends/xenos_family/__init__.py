"""What Adreno A2xx and Xenos share: ALU words, operands, selection, dual issue, clauses; no target of its own."""
