"""Register writes as text: stages as formulas, tables as rows of numbers, everything else by names of fields."""
