"""The inputs that fuzzing has kept, one archive a target.

usage: corpus.py pack FOLDER ARCHIVE
       corpus.py unpack ARCHIVE FOLDER
       corpus.py replay PROGRAM ARCHIVE [FOLDER]     what the archive holds, and then what lies in the folder
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile


def pack(folder, archive):
    """The same inputs make the same archive, whoever packs them and when."""
    with open(archive, "wb") as file, gzip.GzipFile("", "wb", mtime=0, fileobj=file) as packed:
        with tarfile.open(fileobj=packed, mode="w") as tar:
            for name in sorted(os.listdir(folder)):
                with open(os.path.join(folder, name), "rb") as source:
                    content = source.read()
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))
    return 0


def unpack(archive, folder):
    os.makedirs(folder, exist_ok=True)
    with tarfile.open(archive) as tar:
        for entry in tar:
            if not entry.isfile() or os.path.basename(entry.name) != entry.name:
                sys.exit(f"{archive}: {entry.name} is no input")
            with open(os.path.join(folder, entry.name), "wb") as file:
                file.write(tar.extractfile(entry).read())
    return 0


def replay(program, archive, *found):
    """The status is that of the first run that fails."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(archive, folder)
        for inputs in (folder, *found):
            status = subprocess.run([program, inputs], check=False).returncode
            if status:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit({"pack": pack, "unpack": unpack, "replay": replay}[sys.argv[1]](*sys.argv[2:]))
