"""Tiny random models of the classes that people save, with the tokenizer of the shipped ones."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Final

from countercase.encoders.embedded import weights

WIDTH: Final = 24
TINY: Final = {
    "hidden_size": WIDTH, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 32, "vocab_size": 30522, "max_position_embeddings": 96,
}  # fmt: skip
TEXTS: Final = [
    "He was charged with murder.",
    "A cheque was returned unpaid by the bank.",
    "Dismissed.",
]


def save(folder: Path, model: Any) -> Path:
    """Save a model of the transformers library with its tokenizer."""
    model.save_pretrained(folder)
    for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        shutil.copy(weights.base_folder() / name, folder / name)
    return folder


def save_bi_encoder(root: Path, prompts: dict[str, str] | None = None) -> Path:
    """Save a sentence encoder below a folder."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    plain = save(root / "plain", BertModel(BertConfig(**TINY)))
    modules = [Transformer(str(plain)), Pooling(WIDTH)]
    model = SentenceTransformer(modules=modules, device="cpu", prompts=prompts)
    model.save_pretrained(str(root / "bi-encoder"))
    return root / "bi-encoder"


def save_cross_encoder(root: Path, labels: int = 1) -> Path:
    """Save a cross-encoder that gives so many scores a pair."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(1)
    model = BertForSequenceClassification(BertConfig(**TINY, num_labels=labels))
    return save(root / f"cross-encoder-{labels}", model)
