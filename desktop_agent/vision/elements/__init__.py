"""The face of accessibility readers, and what is done with their elements: occlusion, ids, order, text."""
