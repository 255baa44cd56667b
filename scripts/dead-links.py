"""Looks for links between the files of a built site that lead nowhere: to a file that is not there, or to a heading
that its page has not. Prints each, and fails if there is any."""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """What a page links to, and what can be linked to on it."""

    def __init__(self, text: str):
        super().__init__()
        self.links: set[str] = set()
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.places.add(value)
            elif name in ("href", "src") and value and tag != "base":
                self.links.add(value)


def main() -> None:
    """Every page of the directory that is named."""
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in root.rglob("*.html")}
    dead = []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            # The page for what is not found names its files from the root of wherever the site will be.
            if parts.scheme or parts.netloc or path.name == "404.html":
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            place = urllib.parse.unquote(parts.fragment)
            if not target.exists():
                dead.append(f"{path.relative_to(root)}: {link} is not there")
            elif place and target in pages and place not in pages[target].places:
                dead.append(f"{path.relative_to(root)}: {link}: no such heading")
    print("\n".join(sorted(dead)))
    print(f"site: {len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(dead)} lead nowhere")
    sys.exit(1 if dead else 0)


main()
