"""How far stages may be from what was asked for, and a second opinion on what they compute."""
