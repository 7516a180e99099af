"""SPIR-V out: optimised modules of the IR as modules of SPIR-V."""
