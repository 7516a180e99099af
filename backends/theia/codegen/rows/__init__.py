"""Values in rows of three lanes: their layout, moves between lanes, and the emitter that works in whole rows."""
