"""From stages to what a loader gets: registers, the alpha test, the register map."""
