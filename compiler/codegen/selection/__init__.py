"""What instruction selection is made of: rules and their tables, and the emitter that finds operands for them."""
