"""Search the chunks of a crawl with LlamaIndex.

python retrieval_llama_index.py items.jsonl "Which plants grow on the roof?"
"""

import sys
from pathlib import Path

from llama_index.core import VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import TextNode
from retrieval_common import chunks, embed


class WordEmbedding(BaseEmbedding):
    """Put the embedding of your model here."""

    def _get_text_embedding(self, text: str) -> list[float]:
        return embed(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return embed(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return embed(query)


def nodes(items: Path) -> list[TextNode]:
    """Return a node per chunk of a crawl's items; only the text is embedded."""
    return [
        TextNode(
            id_=id_,
            text=text,
            metadata=metadata,
            excluded_embed_metadata_keys=[*metadata],
            excluded_llm_metadata_keys=[name for name in metadata if name != "cite"],
        )
        for id_, text, metadata in chunks(items)
    ]


if __name__ == "__main__":
    index = VectorStoreIndex(nodes(Path(sys.argv[1])), embed_model=WordEmbedding())
    for found in index.as_retriever(similarity_top_k=1).retrieve(sys.argv[2]):
        print(found.metadata["title"], found.metadata["cite"], found.text, sep="\n")
