"""Loopback servers that list their models as Ollama, LM Studio, llama.cpp and vLLM do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.llm.fake_server import QuickServer

Answers = dict[str, Any]


def _listed(owner: str, *models: Answers) -> Answers:
    return {"object": "list", "data": [{"object": "model", "owned_by": owner, **each} for each in models]}


SHOWN = {
    "seer:8b": {
        "capabilities": ["completion", "vision"],
        "model_info": {"general.architecture": "qwen", "qwen.context_length": 131_072},
        "parameters": 'stop "<|end|>"\nnum_ctx                        8192',
    },
    "reader": {"capabilities": ["completion"], "model_info": {"llama.context_length": 32_768}},
    "embedder": {"capabilities": ["embedding"], "model_info": {"bert.context_length": 512}},
}
OLLAMA: Answers = {
    "/v1/models": _listed("library", {"id": "seer:8b"}, {"id": "reader"}, {"id": "embedder"}),
    "/api/show": lambda asked: SHOWN[asked["model"]],
}
LM_STUDIO: Answers = {
    "/v1/models": _listed("organization_owner", {"id": "seer"}, {"id": "reader"}, {"id": "embedder"}),
    "/api/v1/models": {
        "models": [
            {"key": "seer", "type": "llm", "max_context_length": 131_072, "capabilities": {"vision": True},
             "loaded_instances": [{"id": "seer", "config": {"context_length": 4_096}}]},
            {"key": "reader", "type": "llm", "max_context_length": 32_768, "capabilities": {"vision": False},
             "loaded_instances": []},
            {"key": "embedder", "type": "embedding", "max_context_length": 512, "loaded_instances": []},
        ]
    },
}  # fmt: skip
OLD_LM_STUDIO: Answers = {
    "/v1/models": _listed("organization_owner", {"id": "seer"}, {"id": "reader"}, {"id": "embedder"}),
    "/api/v0/models": {
        "data": [
            {"id": "seer", "type": "vlm", "max_context_length": 131_072, "loaded_context_length": 4_096, "state": "loaded"},
            {"id": "reader", "type": "llm", "max_context_length": 32_768, "state": "not-loaded"},
            {"id": "embedder", "type": "embeddings", "max_context_length": 512, "state": "not-loaded"},
        ]
    },
}  # fmt: skip
LLAMA_CPP: Answers = {
    "/v1/models": _listed("llamacpp", {"id": "seer.gguf", "meta": {"n_ctx_train": 131_072, "n_params": 8}}),
    "/props": {
        "default_generation_settings": {"n_ctx": 16_384},
        "modalities": {"vision": True, "audio": False},
    },
}
VLLM: Answers = {"/v1/models": _listed("vllm", {"id": "org/reader", "max_model_len": 65_536})}
PLAIN: Answers = {"/v1/models": _listed("me", {"id": "mine"})}


@contextmanager
def serving(answers: Answers) -> Iterator[HTTPServer]:
    """A running server with these answers by path; a callable is given the body of the request."""
    server = QuickServer(host="127.0.0.1", port=0, threaded=True)
    for path, answer in answers.items():
        server.expect_request(path).respond_with_handler(_handler(answer))
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _handler(answer: Any) -> Callable[[Request], Response]:
    def handle(request: Request) -> Response:
        said = answer(request.get_json()) if callable(answer) else answer
        return (
            said
            if isinstance(said, Response)
            else Response(json.dumps(said), content_type="application/json")
        )

    return handle
