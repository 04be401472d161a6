"""The interface of accessibility readers, and what is done with their elements: occlusion, ids, order, description."""
