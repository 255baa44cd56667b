"""Holds a manifest of krew against krew's rules and against the archives that it names: check-krew.py MANIFEST PACKAGES.

Its own validator (`validate-krew-manifest`) comes from no registry that is always there, so its rules stand here: what
`internal/index/validation` and `cmd/validate-krew-manifest` of kubernetes-sigs/krew ask for. Instead of an installation
by krew, each archive is held against its sum, its files are picked as the manifest says, and the program has to be one of
its platform."""

import hashlib
import pathlib
import re
import sys
import tarfile

import yaml

# Of an ELF file, at byte 18.
MACHINES = {"amd64": 62, "arm64": 183}


def must(holds: bool, what: str) -> None:
    """Ends with what is wrong."""
    if not holds:
        sys.exit(f"krew: {what}")


def check_words(manifest: dict, name: str) -> None:
    """What is said of the plugin."""
    spec = manifest["spec"]
    must(manifest["apiVersion"] == "krew.googlecontainertools.github.com/v1alpha2", "another apiVersion")
    must(manifest["kind"] == "Plugin", "another kind")
    must(manifest["metadata"]["name"] == name, "a plugin is called as its file")
    must(re.fullmatch(r"[\w-]+", name) is not None, "a name that krew refuses")
    must(re.fullmatch(r"v\d+\.\d+\.\d+(-[\w.]+)?", spec["version"]) is not None, "the version is no v1.2.3")
    short = spec["shortDescription"]
    must(0 < len(short) <= 50 and "\n" not in short and not short.endswith("."), "the short description")
    for key in ("description", "caveats"):
        must(all(len(line) <= 80 for line in spec[key].splitlines()), f"a line of {key} has more than 80 columns")
    unknown = set(spec) - {"version", "homepage", "shortDescription", "description", "caveats", "platforms"}
    must(not unknown, f"keys that krew does not know: {unknown}")


def check_platform(platform: dict, packages: pathlib.Path) -> tuple[str, str]:
    """One archive, and for whom it is."""
    labels = platform["selector"]["matchLabels"]
    must(set(labels) == {"os", "arch"} and labels["os"] == "linux" and labels["arch"] in MACHINES, f"selector {labels}")
    must(set(platform) == {"selector", "uri", "sha256", "bin", "files"}, f"keys of a platform: {set(platform)}")
    archive = packages / platform["uri"].rsplit("/", 1)[1]
    must(platform["uri"].startswith("https://"), "an address that is not https")
    must(re.fullmatch("[a-f0-9]{64}", platform["sha256"]) is not None, "a sum that is none")
    must(hashlib.sha256(archive.read_bytes()).hexdigest() == platform["sha256"], f"the sum is not that of {archive.name}")
    with tarfile.open(archive) as members:
        for file in platform["files"]:
            must(set(file) == {"from", "to"} and file["from"] in members.getnames(), f"{archive.name} has no {file}")
        must(platform["bin"] in [file["from"] for file in platform["files"]], "the program is not among the files")
        program = members.getmember(platform["bin"])
        must(program.mode & 0o111 == 0o111, "the program cannot be executed")
        head = members.extractfile(program).read(20)
    must(head[:4] == b"\x7fELF" and head[18] == MACHINES[labels["arch"]], f"the program is not one for {labels['arch']}")
    return labels["os"], labels["arch"]


def main() -> None:
    """The whole manifest."""
    path, packages = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    manifest = yaml.safe_load(path.read_text())
    check_words(manifest, path.stem)
    platforms = [check_platform(platform, packages) for platform in manifest["spec"]["platforms"]]
    must(bool(platforms) and len(set(platforms)) == len(platforms), "no platform, or one twice")
    print("krew:", ", ".join("/".join(platform) for platform in platforms))


main()
