"""Instructions as text says them: what the assembler reads and the disassembler writes."""
