"""Makes a wheel of the package beside this folder, with the standard library alone (PEP 517, PEP 427)."""

import base64
import hashlib
import os
import tomllib
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHEEL = "Wheel-Version: 1.0\nGenerator: baton_remote\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def project():
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        return tomllib.load(file)["project"]


def metadata(about):
    """The fields of `pyproject.toml` in the form of a wheel."""
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {about['version']}", f"Summary: {about['description']}",
             f"License: {about['license']['text']}", f"Requires-Python: {about['requires-python']}"]
    lines += [f"Requires-Dist: {one}" for one in about["dependencies"]]
    for extra, wanted in about["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f'Requires-Dist: {one}; extra == "{extra}"' for one in wanted)]
    with open(os.path.join(ROOT, about["readme"]), encoding="utf-8") as file:
        return "\n".join([*lines, "Description-Content-Type: text/markdown", "", file.read()])


def contents(about, info):
    folder = os.path.join(ROOT, "baton_remote")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(folder, name), "rb") as file:
                yield f"baton_remote/{name}", file.read()
    commands = "".join(f"{name} = {where}\n" for name, where in about["scripts"].items())
    yield f"{info}/METADATA", metadata(about).encode()
    yield f"{info}/WHEEL", WHEEL.encode()
    yield f"{info}/entry_points.txt", f"[console_scripts]\n{commands}".encode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Called by pip; gives back the name of the file."""
    about = project()
    stem = f"{about['name'].replace('-', '_')}-{about['version']}"
    name, info, record = f"{stem}-py3-none-any.whl", f"{stem}.dist-info", ""
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents(about, info):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
            wheel.writestr(path, data)
        wheel.writestr(f"{info}/RECORD", f"{record}{info}/RECORD,,\n")
    return name
