"""usage: unpack.py WHEEL FOLDER: the Python sources of a wheel, without its compiled parts."""

import sys
import zipfile

wheel, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        if name.endswith(".py") or ".dist-info/" in name:
            archive.extract(name, folder)
