"""Reads what one vLLM release understands from its wheel on PyPI: flags of `vllm serve`, Prometheus metrics and
environment variables. The sources are parsed, never imported or run.

    python tools/generate/vllm-from-wheel.py 0.33.0 --out vllm-0.33.0.json
    npm run generate -- --add-vllm vllm-0.33.0.json

Needs Python 3.11 and pip, nothing else. What the syntax tree cannot show (metrics built by helpers) is kept in
vllm-additions.json.
"""

import argparse
import ast
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

PLATFORMS = ["manylinux_2_35_x86_64", "manylinux_2_31_x86_64", "manylinux_2_28_x86_64", "manylinux1_x86_64"]
FRONTEND_FILES = ["vllm/entrypoints/common/cli_args.py", "vllm/entrypoints/openai/cli_args.py"]
METRIC_FILES = re.compile(r"vllm/v1/(metrics/[a-z_]+|spec_decode/metrics)\.py")
METRIC_NAME = re.compile(r"vllm:[a-z0-9_]+")
UNKNOWN = object()


def main():
    parser = argparse.ArgumentParser(description="Reads flags, metrics and variables of one vLLM release from its wheel.")
    parser.add_argument("version", help="exact release, such as 0.33.0")
    parser.add_argument("--out", required=True, help="file to write")
    parser.add_argument("--wheel", help="a wheel that is already there, instead of a download")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = options.wheel or download(options.version, folder)
        sources = Sources(wheel)
    release = {
        "flags": dict(sorted(read_flags(sources).items())),
        "metrics": dict(sorted(read_metrics(sources).items())),
        "env": sorted(read_environment(sources)),
    }
    for part, found in release.items():
        if not found:
            sys.exit(f"no {part} found: the sources of {options.version} are laid out in a way that this script does not know")
    entry = {"asOf": datetime.date.today().isoformat(), "versions": {options.version: release}}
    pathlib.Path(options.out).write_text(json.dumps(entry, indent=1) + "\n")
    print(f"{options.version}: " + ", ".join(f"{len(found)} {part}" for part, found in release.items()))


def download(version, folder):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--python-version", "3.12", "--dest", folder, f"vllm=={version}"]
    for platform in PLATFORMS:
        command += ["--platform", platform]
    subprocess.run(command, check=True)
    return str(next(pathlib.Path(folder).glob("*.whl")))


class Sources:
    """Parsed files of the wheel, with the classes and Literal aliases of the configuration modules by name."""

    def __init__(self, wheel):
        wanted = re.compile(r"vllm/(config/.*|engine/arg_utils|envs|.*cli_args|v1/metrics/.*|v1/spec_decode/metrics|.*/chat_utils)\.py")
        with zipfile.ZipFile(wheel) as archive:
            self.trees = {
                name: ast.parse(archive.read(name)) for name in archive.namelist() if wanted.fullmatch(name)
            }
        self.classes = {}
        self.constants = {}
        for tree in self.trees.values():
            for node in tree.body:
                self.index(node)

    def index(self, node):
        if isinstance(node, ast.ClassDef):
            self.classes[node.name] = node
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self.constants[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            self.constants[node.target.id] = node.value
        elif isinstance(node, ast.If):
            for inner in node.body + node.orelse:
                self.index(inner)

    def fields(self, name):
        """Annotated fields of a dataclass, inherited ones first: name -> (annotation, default)."""
        node = self.classes.get(name)
        if node is None:
            return {}
        found = {}
        for base in node.bases:
            if isinstance(base, ast.Name):
                found.update(self.fields(base.id))
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                if not is_class_variable(statement.annotation):
                    found[statement.target.id] = (statement.annotation, statement.value)
        return found


def read_flags(sources):
    flags = {}
    engine = sources.trees["vllm/engine/arg_utils.py"]
    for function in functions(engine, "add_cli_args"):
        for call, groups in calls_to_add_argument(function):
            add_flag(flags, sources, call, groups)
    for name in FRONTEND_FILES:
        if name in sources.trees:
            for field, (annotation, default) in sources.fields("FrontendArgs").items():
                flags["--" + field.replace("_", "-")] = from_field(sources, annotation, default)
            for function in functions(sources.trees[name], "make_arg_parser"):
                for call, groups in calls_to_add_argument(function):
                    add_flag(flags, sources, call, groups)
    return flags


def functions(tree, name):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name]


def calls_to_add_argument(function):
    """Each `add_argument` call, with the names that hold `get_kwargs(Config)` at that place."""
    groups = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            config, field = kwargs_source(node.value, groups)
            if config:
                groups[node.targets[0].id] = (config, field)
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            yield node, groups


def kwargs_source(value, groups):
    """`get_kwargs(X)`, `get_kwargs(X)["field"]`, or a field of a name that already holds one of them."""
    field = None
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
        field, value = value.slice.value, value.value
    if isinstance(value, ast.Name) and value.id in groups and field:
        return groups[value.id][0], field
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "get_kwargs":
        if value.args and isinstance(value.args[0], ast.Name):
            return value.args[0].id, field
    return None, None


def add_flag(flags, sources, call, groups):
    names = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
    long_names = [name for name in names if name.startswith("--")]
    if not long_names:
        return
    flag = {}
    spreads = [keyword.value for keyword in call.keywords if keyword.arg is None]
    for spread in spreads:
        flag.update(from_kwargs(sources, spread, groups))
    flag.update(from_keywords(sources, call))
    if not spreads and "default" not in flag:
        _, default = sources.fields("EngineArgs").get(long_names[0][2:].replace("-", "_"), (None, None))
        keep_literal(flag, literal(sources, unwrap(default)))
    aliases = [name for name in names if name != long_names[0]]
    if aliases:
        flag["aliases"] = aliases
    flags[long_names[0]] = flag


def from_kwargs(sources, value, groups):
    """`**model_kwargs["dtype"]`, `**name` of one field's arguments, or either spread into a dict with changes.

    A default of None there means "decided later", so the field's own default stays.
    """
    if isinstance(value, ast.Dict):
        spread = [item for key, item in zip(value.keys, value.values) if key is None]
        return {key: found for item in spread for key, found in from_kwargs(sources, item, groups).items()}
    field = None
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant):
        field, value = value.slice.value, value.value
    if not isinstance(value, ast.Name) or value.id not in groups:
        return {}
    config, own = groups[value.id]
    annotation, default = sources.fields(config).get(field or own, (None, None))
    return from_field(sources, annotation, default) if annotation is not None else {}


def from_keywords(sources, call):
    """`action`, `default` and `choices` that the call itself gives win over the field's."""
    flag = {}
    for keyword in call.keywords:
        if keyword.arg == "action" and re.search(r"BooleanOptionalAction|store_true", ast.unparse(keyword.value)):
            flag["boolean"] = True
        elif keyword.arg == "default":
            keep_literal(flag, literal(sources, keyword.value))
        elif keyword.arg == "choices":
            choices = literal(sources, keyword.value)
            if isinstance(choices, list):
                flag["choices"] = choices
    return flag


def from_field(sources, annotation, default):
    flag = {}
    members = union(annotation)
    texts = [ast.unparse(member) for member in members]
    if "bool" in texts and "str" not in texts:
        flag["boolean"] = True
    keep_literal(flag, literal(sources, unwrap(default)))
    choices = [choice for member in members for choice in literal_type(sources, member)]
    if choices:
        flag["choices"] = choices
    return flag


def keep_literal(flag, value):
    if isinstance(value, (bool, int, float, str)):
        flag["default"] = value


def unwrap(default):
    """The value of `Field(default=x)` and `field(default=x)`."""
    if isinstance(default, ast.Call) and isinstance(default.func, ast.Name) and default.func.id in ("Field", "field"):
        if default.args:
            return default.args[0]
        return next((keyword.value for keyword in default.keywords if keyword.arg == "default"), None)
    return default


def literal(sources, node, depth=0):
    """A constant, a module's constant, or a field of a class; UNKNOWN for anything computed."""
    if node is None or depth > 4:
        return UNKNOWN
    try:
        return ast.literal_eval(node)
    except ValueError:
        pass
    if isinstance(node, ast.Name):
        return literal(sources, sources.constants.get(node.id), depth + 1)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        _, default = sources.fields(node.value.id).get(node.attr, (None, None))
        return literal(sources, unwrap(default), depth + 1)
    return UNKNOWN


def union(annotation):
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return union(annotation.left) + union(annotation.right)
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) in ("Optional", "Union", "SkipValidation"):
        inner = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        return [member for item in inner for member in union(item)]
    return [annotation]


def literal_type(sources, node, depth=0):
    if depth > 4:
        return []
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        values = []
        for item in inner:
            if isinstance(item, ast.Constant):
                values += [item.value] if isinstance(item.value, str) else []
            else:
                values += literal_type(sources, item, depth + 1)
        return values
    if isinstance(node, ast.Name) and node.id in sources.constants:
        return [value for member in union(sources.constants[node.id]) for value in literal_type(sources, member, depth + 1)]
    return []


def is_class_variable(annotation):
    return ast.unparse(annotation).startswith("ClassVar")


def read_metrics(sources):
    metrics = {}
    for name, tree in sources.trees.items():
        if not METRIC_FILES.fullmatch(name):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and METRIC_NAME.fullmatch(node.value):
                metrics.setdefault(node.value, None)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            kind = re.search(r"gauge|counter|histogram", ast.unparse(call.func).lower())
            for keyword in call.keywords:
                if kind and keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                    metrics[keyword.value.value] = kind.group()
    return {name: kind for name, kind in metrics.items() if METRIC_NAME.fullmatch(name)}


def read_environment(sources):
    variables = sources.constants.get("environment_variables")
    if not isinstance(variables, ast.Dict):
        return []
    return [key.value for key in variables.keys if isinstance(key, ast.Constant) and key.value.startswith("VLLM_")]


if __name__ == "__main__":
    main()
