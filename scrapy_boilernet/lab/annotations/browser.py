"""Chromium with the browser extension, driven by Selenium."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from scrapy_boilernet.lab.annotations.sidecar import AnnotationError

CHROMIUM_NAMES = ("chromium", "chromium-browser")
DRIVER_NAME = "chromedriver"
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",  # Chromium has no sandbox for root
    "--window-size=1000,900",
    "--disable-features=DisableLoadExtensionCommandLineSwitch",
)
_SECONDS, _POLL_SECONDS = 30, 0.05
_SITES = ["http://*/*", "https://*/*"]


def chromium_program() -> str | None:
    """Return the path of Chromium; None if it is not installed."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


class Chromium:
    """A browser with a tab for pages; with an extension also a tab for the extension's own pages.

    ``extension``: a folder that ``npm run build -- --test`` wrote. ``profile``: a folder for the
    extension's storage. ``resolver``: Chromium's ``--host-resolver-rules``; by default only
    127.0.0.1 can be reached. Raises ``AnnotationError`` if the browser or its driver is missing.
    """

    def __init__(
        self,
        extension: Path | None = None,
        profile: Path | None = None,
        resolver: str = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ) -> None:
        program, driver = chromium_program(), shutil.which(DRIVER_NAME)
        if program is None or driver is None:
            raise AnnotationError(
                "Chromium and its driver are needed; on Debian, install chromium and "
                "chromium-driver"
            )
        options = webdriver.ChromeOptions()
        options.binary_location = program
        options.accept_insecure_certs = True
        for argument in (*_ARGUMENTS, f"--host-resolver-rules={resolver}"):
            options.add_argument(argument)
        if profile:
            options.add_argument(f"--user-data-dir={profile}")
        if extension:
            options.add_argument(f"--load-extension={extension.resolve()}")
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(_SECONDS)
        self.page_tab = self.driver.current_window_handle
        self.own_tab = ""
        self.id = ""
        if extension:
            self.id = self.wait(self._extension_id)
            self.driver.switch_to.new_window("tab")
            self.own_tab = self.driver.current_window_handle
            self.driver.get(self.address("options.html"))
            self.driver.switch_to.window(self.page_tab)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.quit()

    def wait(self, found: Callable[[], Any]) -> Any:
        """Return the first true value that ``found`` returns."""
        return WebDriverWait(self.driver, _SECONDS, _POLL_SECONDS).until(lambda _: found())

    def _extension_id(self) -> str:
        targets = self.command("Target.getTargets")["targetInfos"]
        urls = (target["url"] for target in targets)
        return next((url.split("/")[2] for url in urls if url.startswith("chrome-extension:")), "")

    def address(self, name: str) -> str:
        """Return the address of one of the extension's own pages."""
        return f"chrome-extension://{self.id}/{name}"

    def command(self, name: str, **parameters: Any) -> Any:
        """Return the result of a command of the DevTools protocol, in the tab for pages."""
        self.driver.switch_to.window(self.page_tab)
        return self.driver.execute_cdp_cmd(name, parameters)

    def open(self, url: str) -> None:
        """Open a page in the tab for pages."""
        self.driver.switch_to.window(self.page_tab)
        self.driver.get(url)

    def run(self, script: str, *arguments: Any) -> Any:
        """Return the result of a script in the page, which runs like the page's own scripts."""
        self.driver.switch_to.window(self.page_tab)
        return self.driver.execute_script(script, *arguments)

    def own(self, expression: str) -> Any:
        """Return the value of an expression, or of its promise, in the extension's options page."""
        self.driver.switch_to.window(self.own_tab)
        script = (
            "const done = arguments[0];"
            f"(async () => {expression})().then(done, (error) => done({{error: error.message}}));"
        )
        result = self.driver.execute_async_script(script)
        self.driver.switch_to.window(self.page_tab)
        return result

    def tab(self) -> int:
        """Return the id that the extension has for the tab for pages."""
        return int(self.own(f"(await chrome.tabs.query({{url: {json.dumps(_SITES)}}}))[0].id"))

    def ask_page(self, kind: str) -> Any:
        """Return the answer of the extension's content script to a message of this type."""
        return self.own(f"chrome.tabs.sendMessage({self.tab()}, {{type: {json.dumps(kind)}}})")

    def toggle(self) -> Any:
        """Do the same as the toolbar button; return the summary."""
        return self.own(f"chrome.runtime.sendMessage({{type: 'toggle', tab: {self.tab()}}})")

    def use_model(self, file: Path) -> None:
        """Have the extension load the model of a file and use it.

        Raises ``AnnotationError`` if the extension refuses the file.
        """
        self.driver.switch_to.window(self.own_tab)
        self.driver.execute_script("document.getElementById('message').textContent = ''")
        self.driver.find_element("id", "file").send_keys(str(file.resolve()))
        script = "return document.getElementById('message').textContent"
        message = str(self.wait(lambda: self.driver.execute_script(script)))
        self.driver.switch_to.window(self.page_tab)
        if "is used from now on" not in message:
            raise AnnotationError(f"the extension does not use {file}: {message}")


def started(extension: Path, resolver: str) -> Chromium:
    """Return a browser with the extension.

    Raises ``AnnotationError`` if the extension is not built for tests, or the browser does not
    start.
    """
    if not (extension / "manifest.json").is_file():
        raise AnnotationError(
            f"no extension in {extension}: in the folder extension/ of a checkout, run npm ci and "
            "npm run build -- --test, and give --extension extension/dist/test-chromium"
        )
    try:
        return Chromium(extension, resolver=resolver)
    except WebDriverException as error:
        raise AnnotationError(f"Chromium does not start: {error.msg}") from error
