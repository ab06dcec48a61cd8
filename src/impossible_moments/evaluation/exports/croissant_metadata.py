"""The Croissant 1.0 metadata of an exported dataset."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, Final

from impossible_moments.evaluation.exports.dataset_card import COLUMNS, LICENCE, NAME, DatasetOrigin

CONFORMS_TO: Final = "http://mlcommons.org/croissant/1.0"
FORMATS: Final = {".parquet": "application/x-parquet", ".jsonl": "application/jsonlines"}
_FILE: Final = "test-file"
_RECORDS: Final = "scenarios"

# The context of the Croissant 1.0 specification; readers expect exactly these terms.
# fmt: off
CONTEXT: Final[dict[str, Any]] = {
    "@language": "en", "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs", "column": "cr:column", "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty", "samplingRate": "cr:samplingRate",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract", "field": "cr:field",
    "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet", "format": "cr:format",
    "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key",
    "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
    "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace",
    "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField",
    "transform": "cr:transform",
}
# fmt: on


def render_croissant_metadata(
    content: bytes, origin: DatasetOrigin, *, data: str, columns: Sequence[str]
) -> str:
    """Render the JSON-LD of a dataset whose only data file is `data`."""
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": NAME,
        "description": "Situations that look impossible, presented without their status. Answers are plans that are executed.",
        "license": f"https://spdx.org/licenses/{LICENCE}.html",
        "url": origin.url,
        "version": origin.version,
        "datePublished": origin.published,
        "creator": {"@type": "sc:Organization", "name": "The Impossible Moments authors"},
        "keywords": ["benchmark", "reasoning", "planning", "physics"],
        "inLanguage": "en",
        "citeAs": f"The Impossible Moments authors: Impossible Moments, version {origin.version}.",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": _FILE,
                "name": _FILE,
                "contentUrl": data,
                "contentSize": f"{len(content)} B",
                "encodingFormat": FORMATS[PurePosixPath(data).suffix],
                "sha256": sha256(content).hexdigest(),
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": _RECORDS,
                "name": _RECORDS,
                "key": {"@id": f"{_RECORDS}/id"},
                "field": [_describe_column(each) for each in columns],
            }
        ],
    }
    return json.dumps(described, indent=2, ensure_ascii=False) + "\n"


def _describe_column(column: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{_RECORDS}/{column}",
        "name": column,
        "description": COLUMNS[column],
        "dataType": "sc:Text",
        "source": {"fileObject": {"@id": _FILE}, "extract": {"column": column}},
    }
