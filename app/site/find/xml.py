"""XML documents for machines: escaped, and without the characters that XML cannot hold."""

import re
from xml.etree.ElementTree import Element, SubElement, tostring

# XML 1.0 does not allow these characters, not even as a reference.
_UNSAYABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def element(parent: Element, name: str, text: str = "", **attributes: str) -> Element:
    """Add an element with this text to `parent` and return it."""
    made = SubElement(parent, name, {key: sayable(value) for key, value in attributes.items()})
    if text:
        made.text = sayable(text)
    return made


def sayable(text: str) -> str:
    """Return the text without what XML cannot hold."""
    return _UNSAYABLE.sub("", text)


def written(root: Element) -> bytes:
    """Return the document with its declaration."""
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document
