"""The instruction set: tables, words, assembler, disassembler, container, validator and reference page; knows no IR."""
