"""The intermediate representation: SSA over scalars and short vectors, one opcode table, a text form."""
