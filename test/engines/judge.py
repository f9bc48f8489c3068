"""Argument lists judged by the parser of the vLLM that is installed here.

stdin: a JSON array of argument lists, each what follows `vllm serve`; stdout: a JSON array with null for each list that
the parser takes, else what it says.
"""

import contextlib
import io
import json
import os
import sys

os.environ.update(VLLM_LOGGING_LEVEL="ERROR", VLLM_TARGET_DEVICE="empty", VLLM_NO_USAGE_STATS="1", HF_HUB_OFFLINE="1")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import absent  # noqa: E402

absent.install()


def serve_parser():
    from vllm.platforms import current_platform

    # Some defaults and choices are the platform's; the container has a GPU.
    current_platform.device_type = "cuda"
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    try:
        from vllm.entrypoints.common.cli_args import make_arg_parser
    except ModuleNotFoundError:
        # Where it was before 0.30.
        from vllm.entrypoints.openai.cli_args import make_arg_parser
    parser = FlexibleArgumentParser(prog="vllm")
    make_arg_parser(parser.add_subparsers(dest="subparser").add_parser("serve"))
    return parser


def judge(parser, arguments):
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            parser.parse_args(["serve", *arguments])
    except SystemExit:
        lines = said.getvalue().strip().splitlines()
        return lines[-1] if lines else "refused without a word"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


parser = serve_parser()
json.dump([judge(parser, arguments) for arguments in json.load(sys.stdin)], sys.stdout)
