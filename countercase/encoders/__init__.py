"""Text to vectors and scores: the sentence encoder, the DPR towers, the cross-encoder."""
