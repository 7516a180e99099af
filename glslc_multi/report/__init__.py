"""What a compilation says about itself besides the code: the register map and statistics, as JSON and text."""
