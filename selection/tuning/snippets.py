"""A setting as code for one's own pipeline: plain Python, LangChain, LlamaIndex."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import indent

from selection.model import Budget, Pool
from selection.registry import Need, Selector


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """name: what it is for. package: what it needs beside this library; empty for nothing.
    code: complete, runs as it is."""

    name: str
    package: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What a setting needs at request time of every passage. column: of `Passage`; title: words."""

    column: str
    title: str


_TITLES: dict[Need, tuple[str, str]] = {
    "tokens": ("tokens", "its tokens"),
    "score": ("score", "the retriever's score"),
    "rerank_score": ("rerank_score", "the reranker's score"),
    "claims": ("claims", "its claims"),
    "similarity": ("embedding", "its embedding"),
    "texts": ("text", "its text"),
}


def requirements(selector: Selector, budget: Budget, pool: Pool) -> tuple[Requirement, ...]:
    """What must be known of every passage, in the order in which a snippet asks for it."""
    needs = dict.fromkeys(selector.requires(pool, budget))
    return tuple(
        Requirement(column=column, title=title)
        for need, (column, title) in _TITLES.items()
        if need in needs
    )


def snippets(
    selector: Selector, budget: Budget, pool: Pool, *, given: frozenset[str] = frozenset()
) -> tuple[Snippet, ...]:
    """The setting three times. pool: one of the collection's, to know what the setting needs.

    given: `tokens`, `claims`: what the pipeline knows itself; else the code counts and reads them
    from the text. Only literals of the setting reach the code; nothing of the stored texts does.
    """
    needs = {one.column for one in requirements(selector, budget, pool)}
    head = f"{_imports(needs - given)}\n\n{_setting(selector, budget)}"
    return tuple(form.write(head, needs, given) for form in _FORMS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    """One way to write it. many, question: the names of what is given to the function.

    text, score, field: how a passage's text, score and any other field are read. above: what is
    imported first. opening: what stands before the pool, at the depth of its body.
    """

    name: str
    package: str
    above: str
    opening: str
    many: str
    question: str
    text: str
    score: str
    field: str

    def write(self, head: str, needs: set[str], given: frozenset[str]) -> Snippet:
        depth = " " * (len(self.opening.rsplit("\n", 1)[-1]))
        body = indent(self._body(needs, given), depth).lstrip()
        above = f"{self.above}\n\n" if self.above else ""
        return Snippet(
            name=self.name,
            package=self.package,
            code=f"{above}{head}\n\n\n{self.opening}{body}",
        )

    def _body(self, needs: set[str], given: frozenset[str]) -> str:
        columns = "".join(f"            {name}={how},\n" for name, how in self._read(needs, given))
        return (
            "pool = Pool(\n    [\n        Passage(\n            id=str(at),\n"
            f"{columns}        )\n        for at, one in enumerate({self.many})\n    ],\n"
            f"    question={self.question},\n)\n"
            f"return [{self.many}[rank - 1] for rank in SELECTOR.select(pool, BUDGET).ranks]\n"
        )

    def _read(self, needs: set[str], given: frozenset[str]) -> list[tuple[str, str]]:
        own = {column: self.field.format(column) for column in ("rerank_score", "embedding")}
        read = {
            "tokens": f"count_tokens({self.text})",
            "score": self.score,
            "claims": f"{{one.key for one in statements({self.text})}}",
            "text": self.text,
            **own,
            **{column: self.field.format(column) for column in given},
        }
        return [(column, how) for column, how in read.items() if column in needs]


_FORMS = (
    _Form(
        name="Python",
        package="",
        above="",
        opening=(
            "def select(question, passages):\n"
            '    """The passages to send. passages: dicts in the order of the retriever."""\n    '
        ),
        many="passages",
        question="question",
        text='one["text"]',
        score='one["score"]',
        field='one["{}"]',
    ),
    _Form(
        name="LangChain",
        package="langchain-core",
        above="from langchain_core.documents import BaseDocumentCompressor",
        opening=(
            "class Select(BaseDocumentCompressor):\n"
            '    """The base_compressor of a ContextualCompressionRetriever."""\n\n'
            "    def compress_documents(self, documents, query, callbacks=None):\n        "
        ),
        many="documents",
        question="query",
        text="one.page_content",
        score='one.metadata["score"]',
        field='one.metadata["{}"]',
    ),
    _Form(
        name="LlamaIndex",
        package="llama-index-core",
        above="from llama_index.core.postprocessor.types import BaseNodePostprocessor",
        opening=(
            "class Select(BaseNodePostprocessor):\n"
            '    """One of the node_postprocessors of a query engine."""\n\n'
            "    def _postprocess_nodes(self, nodes, query_bundle=None):\n        "
        ),
        many="nodes",
        question='query_bundle.query_str if query_bundle else ""',
        text="one.node.get_content()",
        score="one.score",
        field='one.node.metadata["{}"]',
    ),
)


def _setting(selector: Selector, budget: Budget) -> str:
    values = "".join(f", {name}={value!r}" for name, value in selector.values.items())
    limits = ", ".join(
        f"{name}={value}"
        for name in ("tokens", "passages")
        if (value := getattr(budget, name)) is not None
    )
    return f'SELECTOR = make_selector("{selector.name}"{values})\nBUDGET = Budget({limits})'


def _imports(computed: set[str]) -> str:
    lines = ["from selection import Budget, Passage, Pool, make_selector"]
    if "claims" in computed:
        lines.append("from selection.text.statements import statements")
    if "tokens" in computed:
        lines.append("from selection.text.tokens import count_tokens")
    return "\n".join(lines)
