"""Host code for THEIA: what gives a compiled program to the test bench of the open hardware."""
