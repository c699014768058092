"""Search the chunks of a crawl with LangChain.

python retrieval_langchain.py items.jsonl "Which plants grow on the roof?"
"""

import sys
from pathlib import Path

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from retrieval_common import chunks, embed


class WordEmbeddings(Embeddings):
    """Put the embeddings of your model here."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the embeddings of texts."""
        return [embed(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the embedding of a question."""
        return embed(text)


def documents(items: Path) -> list[Document]:
    """Return a document per chunk of a crawl's items."""
    return [Document(text, id=id_, metadata=metadata) for id_, text, metadata in chunks(items)]


if __name__ == "__main__":
    store = InMemoryVectorStore(WordEmbeddings())
    store.add_documents(documents(Path(sys.argv[1])))
    for found in store.similarity_search(sys.argv[2], k=1):
        print(found.metadata["title"], found.metadata["cite"], found.page_content, sep="\n")
