"""Lowerings: passes that remove a construct which a target lacks; shared by the targets."""
