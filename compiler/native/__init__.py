"""Code for the computer that the compiler runs on: lanes as LLVM vectors; machines and the jit stand on it."""
