"""Positions as plain SVG pictures, for notebooks."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from ._core import Match, State

_COLOURS = ("#b5443a", "#2f6db0", "#3c8a4e", "#b58a2b", "#7a4fa3", "#2a8c8c", "#555555")
_WIDTH = 760
_CARD = (64, 40)
_CELL = 44


class Picture:
    """An SVG picture. A notebook shows it; `str(picture)` is its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg


class _Canvas:
    """Collects elements from top to bottom."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.y = 12

    def text(self, x: float, y: float, text: str, size: int = 13, colour: str = "#222", more: str = "") -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" {more}>{escape(text)}</text>'
        )

    def line(self, text: str, size: int = 13, colour: str = "#222") -> None:
        self.y += size + 4
        self.text(12, self.y, text, size, colour)

    def svg(self) -> str:
        style = 'font-family="system-ui, sans-serif"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {self.y + 16}" width="{_WIDTH}" {style}>'
            f'<rect width="100%" height="100%" fill="#faf8f2"/>{"".join(self.parts)}</svg>'
        )


def _seats(text: str) -> str:
    """Replaces `@0` by `seat 0`."""
    return re.sub(r"@(\d)", r"seat \1", text)


def _colour(seat: int | None) -> str:
    return "#777" if seat is None else _COLOURS[seat % len(_COLOURS)]


def _grid(canvas: _Canvas, grid: dict[str, Any]) -> None:
    columns = grid["columns"]
    top = canvas.y + 10
    for i, cell in enumerate(grid["cells"]):
        x, y = 12 + i % columns * _CELL, top + i // columns * _CELL
        radius = _CELL // 2 if grid["round"] else 4
        canvas.parts.append(
            f'<rect x="{x}" y="{y}" width="{_CELL - 4}" height="{_CELL - 4}" rx="{radius}" fill="#fff" '
            f'stroke="#999"><title>{escape(cell["name"])}</title></rect>'
        )
        seat, sign = cell["seat"], cell["sign"]
        if sign is not None:
            cx, cy = x + _CELL // 2 - 2, y + _CELL // 2 - 2
            if sign:
                canvas.text(cx, cy + 7, sign, 20, _colour(seat), 'text-anchor="middle" font-weight="bold"')
            else:
                canvas.parts.append(f'<circle cx="{cx}" cy="{cy}" r="{_CELL // 2 - 6}" fill="{_colour(seat)}"/>')
    canvas.y = top + (len(grid["cells"]) + columns - 1) // columns * _CELL


def _zone(canvas: _Canvas, zone: dict[str, Any]) -> None:
    width, height = _CARD
    tokens = zone["tokens"]
    canvas.line(f"{zone['name']} ({len(tokens)})", 12, "#555")
    room = (_WIDTH - 24) // (width + 4)
    known = [token for token in tokens if token["sign"] or token["name"]]
    shown = (known + [token for token in tokens if token not in known])[: 2 * room]
    top = canvas.y + 5
    for i, token in enumerate(shown):
        x, y = 12 + i % room * (width + 4), top + i // room * (height + 4)
        face_up = bool(token["sign"] or token["name"])
        canvas.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" stroke="#888" '
            f'fill="{"#fff" if face_up else "#8a93a6"}"><title>{escape(token["name"] or "face down")}</title></rect>'
        )
        if face_up:
            canvas.text(x + 6, y + 17, token["sign"], 14)
            canvas.text(x + 6, y + 33, token["name"][:11], 9, "#555")
    canvas.y = top + (len(shown) + room - 1) // room * (height + 4)
    if len(shown) < len(tokens):
        canvas.line(f"and {len(tokens) - len(shown)} more", 11, "#777")


def show(place: Match | State, seat: int | None = None) -> Picture:
    """Draws a match or a state as `seat` sees it, or what is public if `seat` is `None`.

    Draws grids, numbers and zones. A game whose table has more than that (a map) is shown as the text of the
    terminal.
    """
    picture = json.loads(place.picture_json(seat))
    canvas = _Canvas()
    canvas.line(picture["title"], 18)
    canvas.line(_seats(picture["awaited"]), 13, "#555")
    for grid in picture["grids"]:
        _grid(canvas, grid)
    for owner, name, value in picture["numbers"]:
        canvas.line(f"{'table' if owner is None else f'seat {owner}'}: {name} {value}", 13, _colour(owner))
    if not picture["grids"] and not picture["numbers"]:
        for line in re.sub(r"\x1b\[[0-9;]*m", "", _seats(picture["text"])).splitlines():
            canvas.y += 15
            canvas.text(12, canvas.y, line, 12, "#222", 'font-family="monospace" xml:space="preserve"')
    for zone in picture["zones"]:
        _zone(canvas, zone)
    return Picture(canvas.svg())
