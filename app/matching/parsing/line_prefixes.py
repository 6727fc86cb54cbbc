"""What terminals, schedulers, launchers and loggers put before a line: one row each, applied until none fits.

To add one: a row with a line that something really printed. A test cleans each example and compares what `layers.py`
finds with what all rows together find; its look-up is made of `first` and `held`, so nothing else has to be kept level.
"""

from typing import Literal, NamedTuple

# quote: somebody quotes the line; box: drawn around it; tag: who printed it; stamp: when, how severe or where it was
# printed; mark: punctuation that separates two others; name: who printed it, or what a person put before a sentence;
# prompt: of a shell or an interpreter, what was typed stands behind it
Kind = Literal["quote", "box", "tag", "name", "stamp", "mark", "prompt"]

_LEVEL = (
    r"(?P<{name}_level>DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL|Error|Warning|Warn|error|warning|warn|info|notice"
    r"|crit)"
)
_DIGITS = "0123456789"


class Prefix(NamedTuple):
    """A layer that can stand before a line.

    `pattern` may hold a group `{name}_level`, the severity, and a group `{name}_tag`, a part that says who printed it;
    of a tag without that group the whole does.
    `first` are the characters that it can begin with; where they can be any, `held` is a text that it always holds,
    and only there.
    `example` is a line with this layer, `rest` what is left of it, `tag` and `level` what the layer says.
    """

    name: str
    kind: Kind
    pattern: str
    example: str
    rest: str
    first: str = ""
    held: str = ""
    tag: str = ""
    level: str = ""


PREFIXES = (
    Prefix("python_prompt", "prompt", r">>>(?=\s)", ">>> boom", "boom", first=">"),
    Prefix("ipython_prompt", "prompt", r"In \[\d{1,4}\]:(?=\s)", "In [3]: boom", "boom", first="I"),
    Prefix("ipython_output", "mark", r"Out\[\d{1,4}\]:(?=\s)", "Out[3]: boom", "boom", first="O"),
    Prefix(
        "shell_prompt",
        "prompt",
        r"(?:\([\w.-]{1,40}\)\s)?(?:\[?[\w.-]{1,40}@[\w.-]{1,64}(?::|\s)?[^\s$#\]]{0,120}\]?\s?)?\$(?=\s)",
        "(venv) li@node3:~/run$ boom",
        "boom",
        held="$ ",
    ),
    Prefix(
        "root_prompt",
        "prompt",
        r"(?:\([\w.-]{1,40}\)\s)?\[?root@[\w.-]{1,64}(?::|\s)[^\s$#\]]{0,120}\]?\s?#(?=\s)",
        "root@node3:/workspace# boom",
        "boom",
        held="# ",
    ),
    Prefix("quote", "quote", r">(?:\s?>)*(?=\s)", "> > boom", "boom", first=">"),
    Prefix("box", "box", r"[│┃┆╎▏]", "│ boom        │", "boom", first="│┃┆╎▏"),
    Prefix("bar", "mark", r"\|(?=\s)", "| boom", "boom", first="|"),
    Prefix(
        "ray_process",
        "tag",
        r"\((?:[\w.:-]+(?:\([^()\n]{0,120}\))?[\s,]+)?(?:pid|ip)=[^()\n]{1,160}\)",
        "(TaskRunner pid=7, ip=10.0.0.2) boom",
        "boom",
        first="(",
        tag="(TaskRunner pid=7, ip=10.0.0.2)",
    ),
    Prefix(
        "ray_service",
        "tag",
        r"\((?:raylet|autoscaler|gcs_server|head|driver)(?:,[^()\n]{0,80})?\)",
        "(raylet) boom",
        "boom",
        first="(",
        tag="(raylet)",
    ),
    Prefix(
        "launcher",
        "tag",
        r"\[(?:[Rr]ank\s?|default|[\w-]+-)?\d{1,5}\]\s?:",
        "[rank3]:[rank3]: boom",
        "boom",
        first="[",
        tag="[rank3]:[rank3]:",
    ),
    Prefix(
        "rank_in_brackets",
        "tag",
        r"\[(?:rank|Rank|RANK)[\s_:=]*\d{1,5}\]:?",
        "[Rank 3] boom",
        "boom",
        first="[",
        tag="[Rank 3]",
    ),
    Prefix(
        "container",
        "tag",
        r"[a-z][\w.-]{0,60}[-_]\d{1,4}\s+\|(?=\s)",
        "trainer-1  | boom",
        "boom",
        held="|",
        tag="trainer-1  |",
    ),
    Prefix(
        "name_in_brackets",
        "name",
        r"\[(?!notice|warn|error|info|debug|crit)[a-z][a-z0-9_.]{0,30}(?:[-_][a-z0-9_.]{1,20}){0,3}\](?=\s)",
        "[worker-3] boom",
        "boom",
        first="[",
        tag="[worker-3]",
    ),
    Prefix(
        "numbered_name",
        "name",
        r"(?:node|worker|engine|explorer|rank|replica|rollout|router|server|scheduler|sampler|trainer|client|critic)"
        # in columns stands what a table says of it
        r"(?:[-_]\d{1,4}|\[\d{1,4}\])(?=\s(?:\S|\s+(?:File\s|[a-z_^~])))",
        "node-1 boom",
        "boom",
        first="nwerstc",
        tag="node-1",
    ),
    Prefix(
        "slurm_step",
        "tag",
        r"\[\d{3,9}\.(?:\d{1,5}|batch|extern|interactive)\](?=\s[a-z])",
        "[99120.0] boom",
        "boom",
        first="[",
        tag="[99120.0]",
    ),
    Prefix(
        "syslog",
        "tag",
        r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s{1,2}\d{1,2}\s\d\d:\d\d:\d\d\s(?P<syslog_tag>[\w.-]{1,64}"
        r"\s[\w./-]{1,48}(?:\[\d+\])?:)(?=\s)",
        "Mar  7 11:20:05 node3 kernel: boom",
        "boom",
        first="JFMASOND",
        tag="node3 kernel:",
    ),
    Prefix("kernel_priority", "mark", r"<\d{1,3}>(?=[A-Z\[])", "<3>Boom", "Boom", first="<"),
    Prefix("rank", "tag", r"(?:rank|Rank|RANK)[\s_]?\d{1,5}\s?:", "rank 3: boom", "boom", first="rR", tag="rank 3:"),
    Prefix("task_number", "tag", r"\d{1,4}:(?=\s)", "3: boom", "boom", first=_DIGITS, tag="3:"),
    Prefix(
        "date_and_time",
        "stamp",
        r"\[?\d{4}[-/]\d\d[-/]\d\d[T\s_]\d\d[:-]\d\d[:-]\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
        r"(?:\s(?P<date_and_time_level>[DIWEFC])\s\d+\s\d+)?(?:\s*,?\s*\d{1,6})?"
        r"(?:\s(?P<date_and_time_tag>[A-Z]{1,4}\d{1,3}(?:\s[A-Z]{1,4}\d{1,3})*))?\]?",
        "[2026-05-26 09:31:57 TP0] boom",
        "boom",
        first="[" + _DIGITS,
        tag="TP0",
    ),
    Prefix(
        "day_and_time",
        "stamp",
        r"\[?\d\d[-/]\d\d(?:[-/]\d\d)?\s\d\d:\d\d:\d\d(?:[.,]\d+)?\]?",
        "07-12 12:00:00 boom",
        "boom",
        first="[" + _DIGITS,
    ),
    Prefix(
        "dmesg_with_date",
        "stamp",
        r"\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s{1,2}\d{1,2}\s"
        r"\d\d:\d\d:\d\d\s\d{4}\]",
        "[Sat Mar  7 11:20:05 2026] boom",
        "boom",
        first="[",
    ),
    Prefix("dmesg", "stamp", r"\[\s{0,4}\d{1,7}\.\d{6}\]", "[12345.678901] boom", "boom", first="["),
    Prefix("time", "stamp", r"\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?", "[09:12:01] boom", "boom", first="[" + _DIGITS),
    Prefix(
        "glog",
        "stamp",
        r"(?P<glog_level>[IWEF])(?:\d{8}|\d{3,4})\s\d\d:\d\d:\d\d\.\d+\s+\d+",
        "E0719 10:11:12.123456 77 boom",
        "boom",
        first="IWEF",
        level="error",
    ),
    Prefix(
        "glog_with_place",
        "stamp",
        r"\[(?P<glog_with_place_level>[IWEF])\d{3,4}\s\d\d:\d\d:\d\d\.\d+\s[\w.-]+:\d+\]",
        "[E719 10:11:12.123456789 ProcessGroupNCCL.cpp:633] boom",
        "boom",
        first="[",
        level="error",
    ),
    Prefix(
        "hydra",
        "stamp",
        r"\[[\w.]{1,60}\]\[(?P<hydra_level>DEBUG|INFO|WARNING|ERROR|CRITICAL)\](?:\s-(?=\s))?",
        "[loop.data][WARNING] - boom",
        "boom",
        first="[",
        level="warning",
    ),
    Prefix(
        "ci_command",
        "stamp",
        r"##\[(?P<ci_command_level>error|warning|notice|debug|section|group|endgroup|command)\]",
        "##[error]boom",
        "boom",
        first="#",
        level="error",
    ),
    Prefix(
        "logger_of_python",
        "stamp",
        r"(?P<logger_of_python_level>DEBUG|INFO|WARNING|ERROR|CRITICAL):[A-Za-z_][\w.-]{0,80}:(?=\S)",
        "WARNING:verl.trainer:boom",
        "boom",
        first="DIWEC",
        level="warning",
    ),
    Prefix(
        "container_runtime",
        "stamp",
        r"std(?:out|err)\s[FP](?=\s)",
        "stderr F boom",
        "boom",
        first="s",
    ),
    Prefix(
        "buildkit",
        "tag",
        r"(?P<buildkit_tag>#\d{1,4})(?:\s\d{1,5}\.\d{1,3})?(?=\s)",
        "#72 0.149 boom",
        "boom",
        first="#",
        tag="#72",
    ),
    Prefix(
        "npm",
        "stamp",
        r"npm\s(?P<npm_level>ERR!|WARN|error|warn)(?=\s)",
        "npm ERR! boom",
        "boom",
        first="n",
        level="error",
    ),
    Prefix(
        "logfmt",
        "stamp",
        r"(?:time|ts)=\"?[\w:.+ -]{8,40}\"?\slevel=(?P<logfmt_level>[a-z]{4,8})\s"
        r"(?:\w{1,20}=[^\s\"]{1,60}\s){0,3}msg=\"?",
        'time="2026-05-05T01:00:00Z" level=error msg="boom',
        "boom",
        first="t",
        level="error",
    ),
    Prefix(
        "program_of_systemd",
        "tag",
        r"[\w.-]{1,64}\s[\w./-]{1,48}\[\d{1,8}\]:(?=\s)",
        "node3 slurmd[411]: boom",
        "boom",
        held="]:",
        tag="node3 slurmd[411]:",
    ),
    Prefix(
        "level",
        "stamp",
        r"[\[(]?" + _LEVEL.format(name="level") + r"[\])]?\s?(?:[:|-]+(?=\s)|(?=\s[\[\d(])|(?<=\]))",
        "error: boom",
        "boom",
        first="[(DIWECFiwenc",
        level="error",
    ),
    Prefix(
        "source_place",
        "stamp",
        r"\[?[\w./-]+\.(?:py|cc|cpp|h|cu):\d+(?:\s[\w.]+)?\]",
        "[core.py:390] boom",
        "boom",
        held="]",
    ),
    Prefix("pytest", "mark", r"E(?=\s{3})", "E   boom", "boom", first="E"),
    Prefix(
        "loguru_place",
        "stamp",
        r"[\w.]+:[\w<>]+:\d+\s-(?=\s)",
        "verl.trainer.main:fit:12 - boom",
        "boom",
        held=" -",
    ),
    Prefix(
        "logger_name",
        "stamp",
        r"[\w.]{3,60}\s-(?=\s(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b)",
        "verl.trainer - INFO - boom",
        "boom",
        held=" - ",
        level="log",
    ),
    Prefix("dash", "mark", r"[-–|:](?=\s)", "- boom", "boom", first="-–|:"),
)
