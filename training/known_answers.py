"""Write the known answers of the shipped models, after an adapter was installed.

    python training/known_answers.py

They are computed in float32 and without the cache; `countercase models verify` compares.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.encoders.base import ROLES, EncoderOptions
from countercase.encoders.embedded.suite import EmbeddedEncoders, known_answers
from training.lora import adapter_folder


def main() -> None:
    """Compute and write the answers of every role."""
    encoders = EmbeddedEncoders(EncoderOptions(precision="f32"), asked=False)
    answers = {role: [round(x, 5) for x in known_answers(encoders, role)] for role in ROLES}
    path = adapter_folder() / "known_answers.json"
    path.write_text(json.dumps(answers, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    print(path, answers)


if __name__ == "__main__":
    main()
