"""Calls of the Python API: each has a store that no other thread uses, and arguments of the right
types."""

from __future__ import annotations

import functools
import sys
import types
import typing
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from thalamus.errors import WrongArgument

if TYPE_CHECKING:
    import ast

    from thalamus.api.stores import Slot, Stores

# methods that are lent no store: a thread keeps what it opens, a streamed turn has its own, and
# closing waits for nothing
STORELESS = frozenset({"open_store", "stream_turn", "close"})
COUNTS = frozenset({"limit", "count", "depth"})  # parameters that must be positive
_PLAIN: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "bytes": (bytes, bytearray),
    "bool": (bool,),
    "int": (int,),
    "float": (int, float),
}
_COLLECTIONS = {"Sequence", "Iterable", "Collection", "Iterator", "list", "tuple", "set"}
_WORDS = {str: "text", bytes: "bytes", dict: "a dictionary", list: "a list", type(None): "None"}
_JSON = (str, int, float, list, tuple, dict, set, frozenset, types.NoneType, msgspec.Struct)
FEW = 100  # records whose fields are checked again
SHOWN = 40  # characters of a value that are shown
C = TypeVar("C", bound=type)


def checked(cls: C) -> C:
    """Checks the calls of the public methods of a class, which belongs to a ``_runtime`` or is
    one, and lends each a store of its thread."""
    for name, function in list(vars(cls).items()):
        if not name.startswith("_") and isinstance(function, types.FunctionType):
            setattr(cls, name, _checked(function))
    return cls


def _checked(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(self: Any, *arguments: Any, **named: Any) -> Any:
        _check_arguments(function, self, arguments, named)
        if function.__name__ in STORELESS:
            return function(self, *arguments, **named)
        stores: Stores = getattr(self, "_runtime", self).stores
        with stores.lent():
            result = function(self, *arguments, **named)
        return _Reading(result, stores) if isinstance(result, types.GeneratorType) else result

    return call


class _Reading(Generator[Any, Any, Any]):
    """A generator with a store of its own, which any thread may read, one at a time."""

    def __init__(self, generator: types.GeneratorType[Any, Any, Any], stores: Stores) -> None:
        self._generator, self._stores = generator, stores
        self._slot: Slot | None = None

    def send(self, value: Any) -> Any:
        return self._in_store(self._generator.send, value)

    def throw(self, *error: Any) -> Any:
        return self._in_store(self._generator.throw, *error)

    def close(self) -> None:
        self._in_store(self._generator.close)

    def __del__(self) -> None:
        self.close()

    def _in_store(self, go_on: Callable[..., Any], *values: Any) -> Any:
        generator = self._generator
        reads = generator.gi_frame is not None and go_on != generator.close
        if reads and self._slot is None and self._stores.running is None:
            self._slot = self._stores.take("generator")
        # in another call a generator without a slot shares the store of that
        with self._stores.lent(self._slot) if self._slot is not None else nullcontext():
            try:
                return go_on(*values)
            finally:
                if generator.gi_frame is None and self._slot is not None:
                    slot, self._slot = self._slot, None
                    self._stores.release(slot)


# -- arguments -----------------------------------------------------------------------------------


def _check_arguments(
    function: Any, self: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]
) -> None:
    """Raises ``WrongArgument``. A missing or an unknown argument is left to Python."""
    code = function.__code__
    names = code.co_varnames[1 : code.co_argcount]
    for name, value in (*zip(names, arguments, strict=False), *named.items()):
        annotation = function.__annotations__.get(name)
        if annotation is not None and (
            problem := _problem(name, annotation, value, function.__module__)
        ):
            view = type(self).__name__.removesuffix("View").lower()
            method = ".".join(dict.fromkeys(["thalamus", view, function.__name__]))
            kind = _with_types(annotation, function.__module__)
            raise WrongArgument(name, problem, method, kind)


def _problem(name: str, annotation: str, value: Any, module: str) -> str:
    """The problem with an argument; empty if there is none."""
    if name in COUNTS and isinstance(value, int) and not isinstance(value, bool) and value < 1:
        return f"must be at least 1, not {value}"
    # what most calls need: neither the module that reads annotations nor their types are loaded
    if (type(value).__name__ if value is not None else "None") in annotation.split(" | "):
        return _invalid_field(value)
    if _admits(_parsed(annotation), value, module):
        return _invalid_field(value)
    if isinstance(value, (list, tuple)) and not _admits(_parsed(annotation), [], module):
        return f"cannot be {_in_words(value)}"
    if isinstance(value, (list, tuple)):
        items = (item for item in value if not _admits(_parsed(annotation), [item], module))
        return f"cannot have {_in_words(next(items))} in it"
    return f"cannot be {_in_words(value)}"


def _in_words(value: Any) -> str:
    kind = _WORDS.get(type(value), f"of the type {type(value).__name__}")
    shown = repr(value)
    plain = isinstance(value, (str, bytes, int, float)) and len(shown) <= SHOWN
    return f"{kind} ({shown})" if plain else kind


def _with_types(annotation: str, module: str) -> str:
    """An annotation with the types of an alias in its place."""
    import re

    def types_of(found: re.Match[str]) -> str:
        kind = found[0]
        alias = None if kind in _PLAIN else _resolved(module, kind)
        several = alias.__constraints__ if isinstance(alias, TypeVar) else typing.get_args(alias)
        return " | ".join(one.__name__ for one in several if isinstance(one, type)) or kind

    return re.sub(r"\b[A-Z]\w+", types_of, annotation)


def _invalid_field(value: Any) -> str:
    """The problem with a field of a record that was not read from JSON; empty if there is none. Of
    many records none is read again."""
    items = value if isinstance(value, (list, tuple)) and len(value) <= FEW else [value]
    for item in items:
        if isinstance(item, msgspec.Struct):
            fields = {name: getattr(item, name) for name in item.__struct_fields__}
            given = {name: one for name, one in fields.items() if one is not msgspec.UNSET}
            if not all(isinstance(one, _JSON) for one in given.values()):
                continue  # an array of numbers, which is checked where it is used
            try:
                msgspec.convert(given, type(item))
            except NameError:
                continue  # options with a type that is there for the type checker only
            except msgspec.ValidationError as error:
                return f"is invalid: {error}"
    return ""


@functools.cache
def _parsed(annotation: str) -> ast.expr:
    import ast

    return ast.parse(annotation, mode="eval").body


def _admits(annotation: ast.expr, value: Any, module: str) -> bool:
    """True if an annotation admits a value, as far as that can be seen."""
    import ast

    if isinstance(annotation, ast.Constant):
        return value is None if annotation.value is None else True
    if isinstance(annotation, ast.BinOp):
        return any(_admits(one, value, module) for one in (annotation.right, annotation.left))
    if isinstance(annotation, ast.Name):
        return _is_named(annotation.id, value, module)
    if not isinstance(annotation, ast.Subscript) or not isinstance(annotation.value, ast.Name):
        return True
    name, inner = annotation.value.id, annotation.slice
    if name == "Literal":
        return value in ast.literal_eval(ast.Tuple([*_parts(inner)], ast.Load()))
    if name in ("Mapping", "dict"):
        return isinstance(value, Mapping)
    if name == "Callable":
        return callable(value)
    if name == "type":
        return isinstance(value, type)
    if name not in _COLLECTIONS:
        return True
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        return False
    first = _parts(inner)[0]
    known = isinstance(value, Collection) and not isinstance(value, Iterator)
    # of many records one of each type tells, but of texts, which may be literals, each
    items = value if known else ()
    distinct = {item if isinstance(item, str) else type(item): item for item in items}
    return all(_admits(first, item, module) for item in distinct.values())


def _parts(inner: ast.expr) -> list[ast.expr]:
    import ast

    return inner.elts if isinstance(inner, ast.Tuple) else [inner]


def _is_named(name: str, value: Any, module: str) -> bool:
    if name in _PLAIN:
        number = isinstance(value, bool) and name != "bool"
        return isinstance(value, _PLAIN[name]) and not number
    if name in ("Any", "object"):
        return True
    if name in (kind.__name__ for kind in type(value).__mro__):
        return True  # its module need not be loaded
    return _is_of(_resolved(module, name), value)


def _is_of(kind: Any, value: Any) -> bool:
    """True if a value is of a type or one of the types of an alias, as far as that can be seen."""
    if isinstance(kind, TypeVar):
        kinds = kind.__constraints__ or ((kind.__bound__,) if kind.__bound__ else ())
        return not kinds or any(_is_of(one, value) for one in kinds)
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return any(_is_of(one, value) for one in typing.get_args(kind))
    if origin is typing.Literal:
        return value in typing.get_args(kind)
    if not isinstance(kind, type):
        return True
    if getattr(kind, "_is_protocol", False):
        return not isinstance(value, (str, bytes, int, float, dict, list, tuple, types.NoneType))
    return isinstance(value, kind)


@functools.cache
def _resolved(module: str, name: str) -> Any:
    """The object that a name denotes in a module, also one that is imported for annotations only;
    None if there is none."""
    import ast
    import importlib
    import inspect

    found = getattr(sys.modules[module], name, None)
    if found is not None:
        return found
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return getattr(importlib.import_module(node.module), alias.name, None)
    return None
