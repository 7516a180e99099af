"""What a compilation says about itself beside the code: the register map and statistics, as JSON and text."""
