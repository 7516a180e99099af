"""The instruction set: tables, words, assembler, disassembler, container and the judge; knows no IR."""
