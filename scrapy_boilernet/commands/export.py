"""Write model.onnx for the engine "onnx", or a model file for the browser extension."""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
from importlib import metadata
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import local
from scrapy_boilernet.extractor.labelers.boilernet.extension_file import write_extension_file
from scrapy_boilernet.extractor.labelers.model_folder import (
    CARD_FILE,
    GRAPH_FILE,
    SPEC_FILE,
    WEIGHTS_FILE,
    model_folder,
    read_json,
    weights_digest,
)
from scrapy_boilernet.extractor.labelers.registry import ModelError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument("model", metavar="MODEL", help="a model folder, or a shipped model's name")
    parser.add_argument(
        "--out", type=local, metavar="FOLDER",
        help="folder for the graph and a copy of the model (default: the model's own folder)",
    )  # fmt: skip
    parser.add_argument(
        "--extension", action="store_true",
        help="instead of a graph write NAME.safetensors, which the browser extension loads, into "
        "--out (default: the current folder)",
    )  # fmt: skip
    parser.add_argument(
        "--int8", action="store_true",
        help="round the LSTMs' weights to 8 bits, which is faster and smaller; a few labels differ",
    )  # fmt: skip


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Export; return the exit status."""
    if options.extension:
        return _export_extension(options)
    with needs_extra("exporting", "export"):
        from scrapy_boilernet.extractor.labelers.boilernet.onnx_export import export_graph
    with explained(ModelError, OSError):
        folder = model_folder(options.model, "give")
        out = options.out or _own_folder(folder, options.model)
        graph = export_graph(folder, "int8" if options.int8 else "float32")
        if out.resolve() != folder.resolve():
            _copy_model(folder, out)
        (out / GRAPH_FILE).write_bytes(graph)
        _record(out, options)
    sys.stdout.write(f"wrote {out / GRAPH_FILE}: {len(graph)} bytes\n")
    return 0


def _export_extension(options: argparse.Namespace) -> int:
    if options.int8:
        raise UsageError(
            "--int8 cannot be used with --extension, which writes the model's own weights"
        )
    with explained(ModelError, OSError):
        file = write_extension_file(options.model, options.out or Path())
    sys.stdout.write(f"wrote {file}: {file.stat().st_size} bytes\n")
    return 0


def _record(folder: Path, options: argparse.Namespace) -> None:
    """Add the command to the training record in ``model.json``, which the card shows."""
    document = read_json(folder)
    command = shlex.join(
        ["scrapy", "boilernet", "export", folder.resolve().name, *["--int8"] * options.int8]
    )
    step = {"command": command, "versions": {"onnx": metadata.version("onnx")}}
    document["training"] = {**document.get("training", {}), "export": [step]}
    text = json.dumps(document, indent=1, ensure_ascii=False)
    (folder / SPEC_FILE).write_text(text + "\n", encoding="utf-8")


def _own_folder(folder: Path, model: str) -> Path:
    """Return the model's folder; raises ``UsageError`` if it is in the installed package."""
    if folder == Path(model) or (folder.parents[1] / "pyproject.toml").is_file():
        return folder
    raise UsageError(
        f"{model!r} is a model of the installed package: give a folder for its copy with "
        f"{GRAPH_FILE} by --out",
        print_help=False,
    )


def _copy_model(folder: Path, out: Path) -> None:
    if (out / SPEC_FILE).exists() and weights_digest(out) != weights_digest(folder):
        raise ModelError(f"{out} holds another model: give --out a new or an empty folder")
    out.mkdir(parents=True, exist_ok=True)
    for name in (SPEC_FILE, WEIGHTS_FILE, CARD_FILE):
        if (folder / name).is_file():
            shutil.copyfile(folder / name, out / name)
