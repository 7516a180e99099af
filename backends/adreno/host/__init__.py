"""Host code for A2xx: what a program that draws by libdrm's freedreno is built with."""
