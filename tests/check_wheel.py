"""Fail unless the wheel in the given folder holds the models, the type marker and the licence."""

import sys
import zipfile
from pathlib import Path

WANTED = (
    "scrapy_boilernet/py.typed",
    "scrapy_boilernet/models/default/model.json",
    "scrapy_boilernet/models/default/model.safetensors",
    "scrapy_boilernet/models/default/README.md",
    "LICENSE",
)
MAX_BYTES = 8_000_000

wheel = next(Path(sys.argv[1]).glob("*.whl"))
names = zipfile.ZipFile(wheel).namelist()
missing = [name for name in WANTED if not any(found.endswith(name) for found in names)]
stray = [name for name in names if name.endswith((".html", ".tar.xz", ".pkl"))]
if missing or stray or wheel.stat().st_size > MAX_BYTES:
    sys.exit(f"{wheel.name}: missing {missing}, stray {stray}, {wheel.stat().st_size} bytes")
sys.stdout.write(f"{wheel.name}: {len(names)} files, {wheel.stat().st_size} bytes\n")
