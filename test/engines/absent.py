"""Lets vLLM be imported where torch and most of what it needs is not installed.

Its argument parser is built from the annotations and defaults of configuration classes, which live in modules that
import everything else. A finder at the end of the search path therefore answers for every module that nobody else has,
with one whose names are all placeholders. A placeholder can be called, subclassed, used as a decorator, compared and put
into a type annotation; what it computes is never looked at.
"""

import importlib.abc
import importlib.machinery
import importlib.metadata
import inspect
import sys
import types
import typing


class PlaceholderType(type):
    """Type of all placeholders: every attribute is another one, made when it is first asked for."""

    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = placeholder(name, cls.__module__)
        setattr(cls, name, made)
        return made

    def __call__(cls, *args, **kwargs):
        # As a decorator it leaves alone what it decorates.
        if len(args) == 1 and not kwargs and inspect.isroutine(args[0]):
            return args[0]
        return super().__call__(*args, **kwargs)

    def __or__(cls, other):
        return cls

    __ror__ = __and__ = __getitem__ = __or__

    def __iter__(cls):
        return iter(())

    def __len__(cls):
        return 0

    def __contains__(cls, item):
        return False

    def __ge__(cls, other):
        return True

    __le__ = __ge__

    def __lt__(cls, other):
        return False

    __gt__ = __lt__


class Placeholder(metaclass=PlaceholderType):
    def __init__(self, *args, **kwargs):
        pass

    def __init_subclass__(cls, **kwargs):
        pass

    def __class_getitem__(cls, item):
        return cls

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return placeholder(name, type(self).__module__)

    def __call__(self, *args, **kwargs):
        return args[0] if len(args) == 1 and callable(args[0]) else self

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __iter__(self):
        return iter(())

    def __bool__(self):
        return False

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        from pydantic_core import core_schema

        return core_schema.any_schema()


def placeholder(name, module):
    return PlaceholderType(name, (Placeholder,), {"__module__": module})


class AbsentModule(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name == "__version__":
            return "99.0.0"
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        made = EXACT.get(f"{self.__name__}.{name}") or placeholder(name, self.__name__)
        setattr(self, name, made)
        return made


def infer_schema(function, *args, **kwargs):
    """Operators are registered under a signature, whose results are counted."""
    signature = inspect.signature(function)
    returned = signature.return_annotation
    count = len(typing.get_args(returned)) if typing.get_origin(returned) is tuple else int(returned is not None)
    parameters = ", ".join(f"Tensor {name}" for name in signature.parameters)
    return f"({parameters}) -> " + ("Tensor" if count == 1 else f"({', '.join(['Tensor'] * count)})")


class DataType:
    """Data types are keys of tables, so that each has to be itself."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"


TYPES = (
    "bfloat16 bool complex64 complex128 double float float16 float32 float64 half int int8 int16 int32 int64 long short "
    "uint8 uint16 uint32 uint64 float4_e2m1fn_x2 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu"
).split()
EXACT = {
    "torch.dtype": DataType,
    "torch.library.infer_schema": infer_schema,
    **{f"torch.{name}": DataType(name) for name in TYPES},
}

# Compiled parts of vLLM itself, which are not unpacked.
COMPILED = ("vllm._C", "vllm._moe_C", "vllm._rocm_C", "vllm.vllm_flash_attn", "vllm.cumem_allocator")


class AbsentFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Asked last, so only for what is not installed."""

    def find_spec(self, fullname, path, target=None):
        top = fullname.partition(".")[0]
        if not fullname.startswith(COMPILED):
            # A part that a package of the library or an installed one lacks is missing for a reason.
            if top in sys.stdlib_module_names or not isinstance(sys.modules.get(top, self), (AbsentModule, AbsentFinder)):
                return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        return AbsentModule(spec.name)

    def exec_module(self, module):
        if module.__name__ == "torch.version":
            module.cuda = module.hip = module.xpu = None


def install():
    found = importlib.metadata.version

    def version(name):
        try:
            return found(name)
        except importlib.metadata.PackageNotFoundError:
            return "99.0.0"

    importlib.metadata.version = version
    sys.meta_path.append(AbsentFinder())
