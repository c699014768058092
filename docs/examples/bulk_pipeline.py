"""The main text of stored crawls, on this machine, on Ray or on Slurm.

python bulk_pipeline.py /data/crawl /data/corpus --tasks 100 --workers 8
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

from datatrove.executor import LocalPipelineExecutor, RayPipelineExecutor, SlurmPipelineExecutor
from datatrove.executor.base import PipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.writers import JsonlWriter

from scrapy_boilernet.bulk.datatrove import LabelPages, PageReader


def pipeline_of(crawl: str, corpus: str, model: str) -> list[PipelineStep]:
    """Return the steps from the files of a crawl to the files of a corpus."""
    return [
        PageReader(crawl),
        LabelPages(
            model=model,
            formats=["markdown", "metadata"],
            exclusion_writer=JsonlWriter(f"{corpus}/dropped"),
        ),
        JsonlWriter(f"{corpus}/pages", expand_metadata=True),
    ]


def executor_of(options: argparse.Namespace) -> PipelineExecutor:
    """Return what runs the pipeline."""
    common: dict[str, Any] = {
        "pipeline": pipeline_of(options.crawl, options.corpus, options.model),
        "tasks": options.tasks,
        "workers": options.workers,
        "logging_dir": f"{options.corpus}/logs",
    }
    if options.executor == "local":
        return LocalPipelineExecutor(**common)
    if options.executor == "ray":
        return RayPipelineExecutor(**common, mem_per_cpu_gb=options.memory_gb)
    return SlurmPipelineExecutor(
        **common,
        mem_per_cpu_gb=options.memory_gb,
        time=options.time,
        partition=options.partition,
        qos="",
        env_command=options.env_command,
    )


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("crawl", help="folder of WARC files, or a URL such as s3://bucket/crawl")
    parser.add_argument("corpus", help="folder of the results; all machines must reach it")
    parser.add_argument("--executor", choices=["local", "ray", "slurm"], default="local")
    parser.add_argument("--tasks", type=int, default=1, help="parts of the crawl")
    parser.add_argument("--workers", type=int, default=1, help="tasks that run at a time")
    parser.add_argument("--model", default="default")
    parser.add_argument("--memory-gb", type=int, default=2, help="Ray, Slurm: memory of a task")
    parser.add_argument("--partition", default="cpu", help="Slurm: where to run")
    parser.add_argument("--time", default="12:00:00", help="Slurm: the longest that a task may run")
    parser.add_argument("--env-command", help="Slurm: activates the Python environment")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Run what has not been done yet; return 1 if something of it is still left."""
    options = parse(arguments)
    executor = executor_of(options)
    if options.executor == "ray":
        import ray

        ray.init(ignore_reinit_error=True)  # a cluster that runs, or one on this machine
    executor.run()
    if options.executor == "slurm":  # the tasks wait in Slurm's queue
        return 0
    left = executor.get_incomplete_ranks(skip_completed=True)
    if left:
        print(f"{len(left)} of {options.tasks} tasks are left; start again with the same command")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
