"""Fills the templates of krew and Homebrew with version, addresses and checksums of the archives that were built; what
of a template lies between `# begin NAME` and `# end NAME` goes where the archive of that architecture was not built."""

import argparse
import hashlib
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEMPLATES = {"krew/pgdyno.yaml": "kubectl-pgdyno", "homebrew/pgdyno.rb": "pgdyno"}


def filled(template: str, archive: str, asked: argparse.Namespace) -> str:
    """A template with its values."""
    version, releases = asked.version, asked.releases.rstrip("/")
    for machine in ("x86_64", "aarch64"):
        file = asked.packages / f"{archive}-{version}-linux-{machine}.tar.gz"
        section = re.compile(rf"^ *# begin {machine}\n(.*?)^ *# end {machine}\n", re.DOTALL | re.MULTILINE)
        if not file.exists():
            template = section.sub("", template)
            continue
        template = section.sub(r"\1", template)
        template = template.replace(f"@URL_{machine}@", f"{releases}/{file.name}")
        template = template.replace(f"@SHA256_{machine}@", hashlib.sha256(file.read_bytes()).hexdigest())
    template = template.replace("@VERSION@", version).replace("@HOMEPAGE@", asked.homepage)
    assert "@" not in template, "a value of the template is not known"
    return template


def main() -> None:
    """Writes each beside the archives."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--releases", required=True)
    parser.add_argument("--homepage", required=True)
    parser.add_argument("--packages", required=True, type=pathlib.Path)
    asked = parser.parse_args()
    for template, archive in TEMPLATES.items():
        text = (ROOT / "packaging" / f"{template}.in").read_text()
        file = asked.packages / pathlib.Path(template).name
        file.write_text(filled(text, archive, asked))


main()
