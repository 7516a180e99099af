"""What editors and pages show of GLSL beside what the compiler says of it."""
