//! Leaf: works on tiles and runs of elements, never on tensors, and imports nothing of ours.
