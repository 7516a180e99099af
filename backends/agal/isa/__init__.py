"""The instruction set: tables, words, assembler, disassembler, container and validator; knows no IR."""
