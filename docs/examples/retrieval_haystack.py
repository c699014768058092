"""Search the chunks of a crawl with Haystack.

python retrieval_haystack.py items.jsonl "Which plants grow on the roof?"
"""

import sys
from pathlib import Path

from haystack import Document
from haystack.components.retrievers.in_memory import InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from retrieval_common import chunks, embed


def documents(items: Path) -> list[Document]:
    """Return a document per chunk of a crawl's items."""
    return [
        Document(id=id_, content=text, meta=metadata, embedding=embed(text))  # or an embedder
        for id_, text, metadata in chunks(items)
    ]


if __name__ == "__main__":
    store = InMemoryDocumentStore()
    store.write_documents(documents(Path(sys.argv[1])))
    retriever = InMemoryEmbeddingRetriever(store, top_k=1)
    for found in retriever.run(query_embedding=embed(sys.argv[2]))["documents"]:
        print(found.meta["title"], found.meta["cite"], found.content, sep="\n")
