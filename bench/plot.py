"""The picture of a run: how each cost grows with the number of memories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from results import OWN as WHO
from results import Results

PANELS = (
    ("retrieve, fresh", "one question, fresh process", "ms (p50)"),
    ("retrieve, warm", "one question, warm", "ms (p50)"),
    ("store, fresh", "one durable store, fresh process", "ms (p50)"),
    ("store, warm", "one durable store, warm", "ms (p50)"),
    ("load", "bulk load", "records a second"),
    ("disk: in all", "on disk", "MB"),
)


def draw(results: Results, path: Path) -> bool:
    """Writes the PNG; False when matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(16, 9), layout="constrained")
    people = list(dict.fromkeys(who for what, _, _ in PANELS for who in results.people(what)))
    colours = {who: f"C{n}" for n, who in enumerate(people)}
    for axis, (what, title, unit) in zip(axes.flat, PANELS, strict=True):
        _panel(axis, results, what, colours)
        axis.set(title=title, xlabel="memories", ylabel=unit, xscale="log", yscale="log")
        axis.grid(True, which="both", alpha=0.2)
    lines = {
        label: line
        for axis in axes.flat
        for line, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=4)
    figure.suptitle(f"{results.about['machine']}, {results.about['date']}", fontsize=10)
    figure.savefig(path, dpi=100)
    pyplot.close(figure)
    return True


def _panel(axis: Any, results: Results, what: str, colours: dict[str, str]) -> None:
    for who in results.people(what):
        points = [(s, p) for s in results.sizes if (p := results.p50(who, what, s)) is not None]
        if points:
            own = who == WHO
            style = {"linewidth": 3 if own else 1.2, "zorder": 3 if own else 2}
            axis.plot(*zip(*points, strict=True), "o-", label=who, color=colours[who], **style)
