"""What the combiners cannot do, said at its place with the nearest thing that they can."""
