"""The engine for ONNX Runtime, and the only module that imports it.

Embeddings are looked up in NumPy; ``model.onnx`` has the rest. torch and ``onnx`` are not loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.hashed import Features
from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.labelers.boilernet.onnx_graph import (
    INPUTS,
    OUTPUT,
    PRECISIONS,
    check_graph,
)
from scrapy_boilernet.extractor.labelers.boilernet.scoring import Array, Encoder, ModelLabeler
from scrapy_boilernet.extractor.labelers.model_folder import (
    GRAPH_FILE,
    MOST_WEIGHT_BYTES,
    Tensors,
    kind_of,
    load_model,
    read_file,
    shown,
    weights_digest,
)
from scrapy_boilernet.extractor.labelers.spec import GRAPH_VERSION, Architecture, ModelSpec


class OnnxLabeler(ModelLabeler):
    """A BoilerNet model run by ONNX Runtime."""

    def __init__(
        self, spec: ModelSpec, tensors: Tensors, session: onnxruntime.InferenceSession
    ) -> None:
        super().__init__(spec)
        self._encoder = Encoder(spec.architecture, tensors)
        self._session = session
        self.precision: str = session.get_modelmeta().custom_metadata_map["precision"]
        """One of :data:`~scrapy_boilernet.extractor.labelers.boilernet.onnx_graph.PRECISIONS`."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Return the labeler of the model in ``folder``.

        Raises ``ModelError`` if the model is broken, or if its ``model.onnx`` is missing, is broken
        or was made of other weights.
        """
        spec, tensors = load_model(folder)
        return cls(spec, tensors, _open_graph(folder, spec.architecture))

    def _score(self, features: Features) -> NDArray[np.float32]:
        return self._run([self._encoder.encode(features)])[0]

    def _score_many(self, pages: Sequence[Features]) -> list[NDArray[np.float32]]:
        if self.precision == "int8":  # its rounding depends on the largest number in the batch
            return super()._score_many(pages)
        return self._run([self._encoder.encode(features) for features in pages])

    def _run(self, pages: Sequence[Array]) -> list[NDArray[np.float32]]:
        lengths = np.array([len(page) for page in pages], dtype=np.int32)
        if len(pages) == 1:
            padded = pages[0][:, np.newaxis]
        else:
            padded = np.zeros((lengths.max(), len(pages), pages[0].shape[1]), dtype=np.float32)
            for i, page in enumerate(pages):
                padded[: len(page), i] = page
        scores = self._session.run(None, dict(zip(INPUTS, (padded, lengths), strict=True)))[0]
        return [np.ascontiguousarray(scores[:length, i]) for i, length in enumerate(lengths)]


def _open_graph(folder: Path, architecture: Architecture) -> onnxruntime.InferenceSession:
    """Return the session of the folder's graph, if it was made of the folder's weights."""
    remedy = f"write it with: scrapy boilernet export {folder}"
    try:
        data = read_file(folder / GRAPH_FILE, MOST_WEIGHT_BYTES)
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot read {GRAPH_FILE} in {folder}: {error}; {remedy}") from error
    try:
        check_graph(data, architecture)
    except ValueError as error:
        raise ModelError(
            f"{GRAPH_FILE} in {folder} is not a graph of its architecture: {shown(error)}"
            f"{kind_of(data)}; {remedy}"
        ) from error
    try:
        session = onnxruntime.InferenceSession(data, _options(), ["CPUExecutionProvider"])
    except Exception as error:  # ONNX Runtime's exceptions have no other common base
        raise ModelError(
            f"{GRAPH_FILE} in {folder} is broken, or not for onnxruntime "
            f"{onnxruntime.__version__}: {shown(error)}; {remedy}"
        ) from error
    wrong = _wrong_facts(session, weights_digest(folder))
    if wrong:
        raise ModelError(f"{GRAPH_FILE} in {folder} {wrong}; {remedy}")
    return session


def _wrong_facts(session: onnxruntime.InferenceSession, digest: str) -> str:
    """Return which metadata, input or output of a graph is wrong, for a message; "" if none is."""
    names = [each.name for each in (*session.get_inputs(), *session.get_outputs())]
    if names != [*INPUTS, OUTPUT]:
        return f"has other inputs and outputs than {', '.join(INPUTS)} and {OUTPUT}: {shown(names)}"
    facts = session.get_modelmeta().custom_metadata_map
    for key, value in {"weights_sha256": digest, "graph_version": str(GRAPH_VERSION)}.items():
        if facts.get(key) != value:
            return (
                "was made of other weights or by another version of this package: its "
                f"{key} is {shown(facts.get(key))}, not {value!r}"
            )
    if facts.get("precision") not in PRECISIONS:
        return f"has the precision {shown(facts.get('precision'))}, not {' or '.join(PRECISIONS)}"
    return ""


def _options() -> onnxruntime.SessionOptions:
    """Return the options of a session.

    One thread, since the matrices are small; no arena, which would keep the memory of a long page.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3  # errors
    return options
