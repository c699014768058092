"""Builds the mode of a crawl, which labels or stores its pages, from ``BOILERNET_MODE``."""

from __future__ import annotations

from scrapy_boilernet.settings.config import Config, ConfigError
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.process import ProcessMode
from scrapy_boilernet.workers.store import PageStore
from scrapy_boilernet.workers.thread import InlineMode, Mode, ThreadMode


def mode_of(config: Config) -> Mode:
    """Return the object of the config's mode, with its model loaded if the mode labels pages.

    Raises ``ModelError`` if the model cannot be loaded, ``ConfigError`` if pages cannot be stored.
    """
    if config.mode == "process":
        return ProcessMode(config)
    if config.mode == "deferred":
        return ThreadMode(_store_of(config), config)
    worker = worker_of(config)
    return InlineMode(worker) if config.mode == "inline" else ThreadMode(worker, config)


def worker_of(config: Config) -> PageWorker:
    """Return a worker that labels in this process.

    Raises ``ModelError`` if the model cannot be loaded or cannot make a format of the config.
    """
    names = ("model", "engine", "cache_blocks", "formats", "sites")
    return PageWorker.of(*(getattr(config, name) for name in names))


def _store_of(config: Config) -> PageStore:
    folder = config.deferred_folder or ""
    try:
        return PageStore(folder)
    except OSError as error:
        raise ConfigError(
            f"BOILERNET_DEFERRED_FOLDER = {folder!r}: pages cannot be stored there: {error}; "
            "name a folder that can be written"
        ) from error
