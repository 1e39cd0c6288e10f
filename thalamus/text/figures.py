"""Figures with their units as text."""

from __future__ import annotations


def figure_text(value: float | None, unit: str) -> str:
    """``87.5 %`` of a share, ``12 ms``, or ``1.25`` per 100 turns; ``-`` without a value."""
    if value is None:
        return "-"
    if unit == "share":
        return f"{100 * value:.1f} %"
    return f"{value:,.0f} ms" if unit == "ms" else f"{value:.2f}"


def target_text(target: float | None, bound: str | None, unit: str) -> str:
    """``> 85 %`` or ``< 150 ms``; empty without a target."""
    if target is None:
        return ""
    text = f"{100 * target:g} %" if unit == "share" else f"{target:g}{' ms' * (unit == 'ms')}"
    return f"{'<' if bound == 'below' else '>'} {text}"
