"""From the IR to polynomials: what a pixel is made of, and when it is discarded."""
