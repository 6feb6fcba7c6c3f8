"""What a process that only talks to engines loads: nothing native, nothing slow."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("llama_cpp", "numpy", "torch", "sentence_transformers", "jinja2", "gguf", "huggingface_hub")
PARENTS = [
    "models.engine.client",
    "models.engine.server",
    "models.registry",
    "models.pull",
    "models.scripted",
    "models.remote",
    "models.bench",
    "models.convert_minilm",
]


@pytest.mark.parametrize("module", PARENTS)
def test_importing_it_loads_nothing_heavy_and_nothing_of_the_other_packages(module: str) -> None:
    code = f"import sys, {module}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "models" in loaded
    assert not loaded & {*HEAVY, "memory", "assistant", "textual", "sqlite_utils"}
