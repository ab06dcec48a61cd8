"""Documents meant to break the reader, each with a name that says how."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hostile.shapes import approach, record, shapes
from support.written_records import build_complete_record

MEGABYTE = 1024 * 1024
Text = str | bytes


def documents() -> dict[str, Text]:
    """All hostile documents by name."""
    named: dict[str, Text] = {}
    for family in (
        _sizes,
        _nesting,
        _references,
        _tags,
        _keys,
        _numbers,
        _signs,
        _several,
        _broken,
        _slow,
        shapes,
    ):
        for name, text in family():
            assert name not in named, name
            named[name] = text
    return named


def _sizes() -> Iterator[tuple[str, Text]]:
    yield "ten megabytes of text", "title: " + "x" * 10 * MEGABYTE
    yield "ten megabytes of JSON text", b'{"title": "' + b"x" * 10 * MEGABYTE + b'"}'
    yield "ten megabytes of opening brackets", "[" * 10 * MEGABYTE
    yield "ten megabytes of opening braces", b"{" * 10 * MEGABYTE
    yield "ten megabytes of spaces", " " * 10 * MEGABYTE
    yield "ten megabytes of comment", b"#" * 10 * MEGABYTE
    yield "half a megabyte of wide signs", "\N{GRINNING FACE}" * 140_000
    yield "the longest comment", "#" * (512 * 1024)
    yield "the most spaces", " " * (512 * 1024)
    yield "the most line ends", "\n" * (512 * 1024)
    yield "a text over its bound", record(title="x" * 70_000)
    yield "a folded text over its bound", "title: >\n" + "  word\n" * 70_000
    yield "a JSON text over its bound in escapes", '{"title": "' + "\\u0041" * 70_000 + '"}'
    yield "very many keys", "".join(f"key{number}: 1\n" for number in range(9_000))
    yield "very many JSON keys", json.dumps({f"key{number}": 1 for number in range(9_000)})
    yield "too many keys", "".join(f"k{number}: 1\n" for number in range(30_000))
    yield "too many JSON keys", json.dumps({f"k{number}": 1 for number in range(30_000)})
    yield "too many entries", "[" + "0," * 100_000 + "0]"
    yield "too many empty maps", "- {}\n" * 50_000
    yield "too many empty entries", "-\n" * 100_000
    yield "a very long JSON key", json.dumps({"k" * 60_000: 1})
    yield "a JSON key over its bound", json.dumps({"k" * 70_000: 1})
    yield "a very long YAML key", "? " + "k" * 60_000 + "\n: 1"
    yield "very many approaches", record(approaches=[approach(f"a{number}") for number in range(1_000)])
    yield "very many lines", record(quantities=[f"q{number} = 1" for number in range(5_000)])


def _nesting() -> Iterator[tuple[str, Text]]:
    for depth in (25, 1_000, 100_000):
        yield f"{depth} lists in JSON", "[" * depth + "]" * depth
        yield f"{depth} maps in JSON", '{"a":' * depth + "1" + "}" * depth
        yield f"{depth} lists that never end", '{"things": ' + "[" * depth
        yield f"{depth} flow maps", "a: " + "{a: " * depth + "1" + "}" * depth
        yield f"{depth} lists in a line", "- " * depth + "x"
        yield f"{depth} explicit keys", "? " * depth + "x"
    yield "300 indented maps", "".join(f"{' ' * level}a:\n" for level in range(300))
    yield "700 indented lists", "".join(f"{' ' * level}-\n" for level in range(700))
    yield "brackets in an open quote", '{"' + '\\"[' * 100_000
    yield "brackets after brackets", "[]" * 100_000


def _references() -> Iterator[tuple[str, Text]]:
    rows = (
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    yield "a billion laughs", "a: &a [ha, ha, ha]\n" + "\n".join(rows)
    yield "a billion laughs on one line", "{a: &a [x], b: &b [*a, *a], c: &c [*b, *b], d: [*c, *c]}"
    yield "an alias", "title: &t Clear Sky\nthings: *t"
    yield "an anchor that nobody uses", "title: &t Clear Sky"
    yield "an anchor on a key", "&k title: Clear Sky"
    yield "an anchor on a map", "prose: &p {narrative: x}"
    yield "an anchor on the whole", "&all\ntitle: x"
    yield "a list that contains itself", "things: &t [*t]"
    yield "a map that contains itself", "&me\ntitle: *me"
    yield "a map that is its own key", "&me {*me : 1}"
    yield "many anchors", "".join(f"k{number}: &a{number} 1\n" for number in range(3_000))
    yield "a merge key", "base: {title: x}\n<<: {title: y}"
    yield "a merge key with an alias", "base: &b {title: x}\nprose:\n  <<: *b"
    yield "a list of merges", "<<: [{title: x}, {title: y}]"


TAGS = (
    "python/object/apply:os.system", "python/object/new:subprocess.Popen", "python/name:os.system",
    "python/module:os", "python/object:builtins.object", "python/tuple", "python/bytes", "binary",
    "timestamp", "set", "omap", "pairs", "merge", "value", "map", "seq",
)  # fmt: skip


def _tags() -> Iterator[tuple[str, Text]]:
    for tag in TAGS:
        yield f"the tag {tag}", f"title: !!{tag} [echo]"
    yield "a tag on a text", "title: !!python/name:os.system ''"
    yield "a tag of one's own", "!record\ntitle: x"
    yield "a tag that says nothing", "title: ! x"
    yield "a tag by its full address", "title: !<tag:yaml.org,2002:python/name:os.system> x"
    yield "a tag by a handle", "%TAG !e! tag:yaml.org,2002:python/\n---\ntitle: !e!name:os.system x"
    yield "a tag on a key", "!!python/name:os.system title: x"
    yield "a tag that is wrong", "title: !!int Clear Sky"
    yield "a very long tag", "title: !" + "t" * 100_000 + " x"


def _keys() -> Iterator[tuple[str, Text]]:
    yield "a key twice", "title: x\ntitle: y"
    yield "a key twice in JSON", '{"title": "x", "title": "y"}'
    yield "a key twice in two spellings", "title: x\n'title': y"
    yield "a key twice in JSON by an escape", '{"title": "x", "\\u0074itle": "y"}'
    yield "a key twice deep inside", "prose: {narrative: x, narrative: y}"
    yield "a list as a key", "? [a, b]\n: 1"
    yield "a map as a key", "? {a: 1}\n: 1"
    yield "a null key", record() + "\n~: 1"
    yield "an empty key", json.dumps({**build_complete_record(), "": 1})
    yield (
        "a key of dunders",
        json.dumps({**build_complete_record(), "__class__": "Record", "model_config": {}, "__init__": 1}),
    )
    yield "a key with path signs", json.dumps({**build_complete_record(), "../../etc/passwd": 1, "a/b~c": 2})


def _numbers() -> Iterator[tuple[str, Text]]:
    for name, digits in {
        "a thousand": 1_000,
        "five thousand": 5_000,
        "four hundred thousand": 400_000,
    }.items():
        yield f"{name} digits", "title: " + "9" * digits
        yield f"{name} digits in JSON", '{"title": ' + "9" * digits + "}"
        yield f"{name} digits after the point", '{"title": 0.' + "1" * digits + "}"
    for word in (
        "NaN",
        "Infinity",
        "-Infinity",
        ".nan",
        ".inf",
        "-.INF",
        "1e999",
        "-1e999",
        "1e99999999999999999",
    ):
        yield f"the number {word}", f"title: {word}"
        yield f"the number {word} in JSON", '{"title": ' + word + "}"
    yield "a number of another script", record(quantities=None) + "\npuzzles: [{kind: code, length: \u0661}]"
    yield "a date where text is needed", "title: 2001-01-01"
    yield "a number where text is needed", record(title=12.5)


def _signs() -> Iterator[tuple[str, Text]]:
    for code in (0x00, 0x01, 0x07, 0x08, 0x0B, 0x0C, 0x1B, 0x7F, 0x85, 0x9F, 0x202E, 0x2066, 0xFFFE, 0xFFFF):
        yield f"the sign U+{code:04X}", f"title: a{chr(code)}b"
        yield f"the sign U+{code:04X} escaped", record(title=f"a{chr(code)}b")
    for code in (0xD800, 0xDBFF, 0xDC00, 0xDFFF):
        yield f"half a character U+{code:04X}", f"title: a{chr(code)}b"
        yield f"half a character U+{code:04X} escaped in JSON", record(title=f"a{chr(code)}b")
        yield f"half a character U+{code:04X} escaped in YAML", f'title: "a\\u{code:04X}b"'
    yield "a sign beyond Unicode", 'title: "\\U00110000"'
    yield "a mark of order in the middle of nothing", b"\xef\xbb\xbf"
    yield "two marks of order", "\ufeff\ufeff" + record()
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp037"):
        yield f"the encoding {encoding}", record().encode(encoding)
    yield "the encoding latin-1", "title: Gr\u00fc\u00dfe".encode("latin-1")
    yield "an overlong slash", b"title: \xc0\xaf"
    yield "a cut character", "title: \u20ac".encode()[:-1]
    yield "a surrogate in UTF-8", b"title: \xed\xa0\x80"
    yield "a program", b"\x7fELF\x02\x01\x01" + bytes(64)
    yield "a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    yield "every byte", bytes(range(256)) * 100


def _several() -> Iterator[tuple[str, Text]]:
    yield "nothing", ""
    yield "no bytes", b""
    yield "only comments", "# one\n# two\n"
    yield "only a start", "---"
    yield "only an end", "..."
    yield "two documents", f"{record()}\n---\n{record()}"
    yield "two JSON documents", f"{record()}\n{record()}"
    yield "a second document that is empty", f"---\n{record()}\n---\n"
    yield "a thousand documents", "---\n" * 1_000
    yield "a list at the top", f"[{record()}]"
    yield "a YAML list at the top", "- title: x"
    yield "a number at the top", "12"
    yield "text at the top", "im-mechanics/1"
    yield "quoted JSON at the top", json.dumps(record())
    yield "null at the top", "null"
    yield "true at the top", "true"


def _broken() -> Iterator[tuple[str, Text]]:
    yield "JSON cut in the middle", record()[:700]
    yield "JSON without a comma", '{"title": "x" "category": "y"}'
    yield "JSON in a fence", f"```json\n{record()}\n```"
    yield "JSON after words", f"Here is the record: {record()}"
    yield "JSON before words", f"{record()} I hope this helps!"
    yield "an open quote", "title: 'x"
    yield "an open bracket", "things: [a, b"
    yield "a wrong bracket", "things: [a}"
    yield "a tab", "prose:\n\tnarrative: x"
    yield "a placeholder without quotes", "prose:\n  narrative: {thing:door} is shut"
    yield "a colon without quotes", "title: The Shed: a tale"
    yield "an at sign without quotes", "title: @home"
    yield "columns that do not fit", "title: x\n  category: y\n format: z"
    yield "an unknown directive", "%RUN rm\n---\ntitle: x"
    yield "a directive of many digits", f"%YAML 1.{'1' * 5_000}\n---\ntitle: x"
    yield "a directive twice", "%YAML 1.1\n%YAML 1.1\n---\ntitle: x"
    yield "markup", "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a 'b'>]><r>&a;</r>"
    yield "a block text of wrong indent", "title: |9\n x"


def _slow() -> Iterator[tuple[str, Text]]:
    yield "quotes upon quotes", '{"a": ' + '"' * 400_001
    yield "escapes without an end", '{"a": "' + "\\" * 400_001
    yield "colons upon colons", "a" + ":" * 400_000
    yield "question marks", "? " * 9_000
    yield "dashes", "-" * 400_000
    yield "spaces inside a line", record(quantities="x = 1; a" + " " * 45_000 + "b", title=1)
    yield "semicolons inside a source", _lines_with("x = 1 @ s" + ";y" * 30_000)
    yield "semicolons", _lines_with(";" * 60_000)
    yield "quotes inside a line", _lines_with("'\"" * 30_000 + ";")
    yield "brackets inside a plan", record(approaches=[{**approach("a"), "plan": "(" * 60_000, "ends": 1}])
    yield "a long line in a map", record(quantities={"a": "b" * 60_000})
    yield "a long unknown kind", record(things=[{"name": "a", "label": "b", "kind": "k" * 60_000}])
    yield "a long unknown category", record(category="The " * 15_000)
    yield "names alike", record(things=[{"name": "a", "label": 1}] * 3_000)
    yield (
        "names by the thousand",
        record(things=[{"name": f"a{number}", "label": 1} for number in range(3_000)]),
    )


def _lines_with(line: str) -> str:
    """A record whose every block of lines is one long line, as many as there is room for."""
    return record(quantities=line, roles=line, rates=line, never=line, insights=line, cover=line, title=1)
