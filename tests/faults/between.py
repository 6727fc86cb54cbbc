"""What stands between Errdex and its PostgreSQL, and stops: a program on the way, or the network."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest

# forwards connections to argv[1]:argv[2] on to argv[4]:argv[3] until it is stopped or killed
_FORWARD = """
import asyncio, sys

async def carry(reader, writer):
    try:
        while block := await reader.read(65536):
            writer.write(block)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()

async def serve(reader, writer):
    onward = await asyncio.open_connection(sys.argv[4], int(sys.argv[3]))
    await asyncio.gather(carry(reader, onward[1]), carry(onward[0], writer))

async def main():
    server = await asyncio.start_server(serve, sys.argv[1], int(sys.argv[2]), backlog=1000)
    print("listening", flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


@dataclass(frozen=True, slots=True)
class Between:
    """Something that all that goes to the database passes. `stop` and `go_on` are processes' or the network's."""

    address: str
    port: int
    stop_words: tuple[str, ...]
    go_words: tuple[str, ...]

    def stop(self) -> None:
        """From here on connections are taken or begun, and nothing is ever answered."""
        subprocess.run(self.stop_words, check=True, capture_output=True, timeout=60)

    def go_on(self) -> None:
        """Let everything through again."""
        subprocess.run(self.go_words, check=True, capture_output=True, timeout=60)


@contextmanager
def _forwarding(before: list[str], *words: str) -> Iterator[int]:
    command = [*before, sys.executable, "-c", _FORWARD, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "listening\n"
            yield process.pid
        finally:
            os.kill(process.pid, signal.SIGCONT)
            process.kill()


@contextmanager
def stopped_program(port: int, onward: int) -> Iterator[Between]:
    """A program that forwards, whose kernel goes on taking connections and bytes while it is stopped."""
    with _forwarding([], "127.0.0.1", str(port), str(onward), "127.0.0.1") as process:
        yield Between("127.0.0.1", port, ("kill", "-STOP", str(process)), ("kill", "-CONT", str(process)))


@contextmanager
def swallowing_network(port: int, onward: int) -> Iterator[Between]:
    """A host of its own that forwards, and whose every packet is lost on the way back while it is stopped."""
    name = f"errdex{os.getpid() % 100_000}"
    here, there = f"e{os.getpid() % 100_000}a", f"e{os.getpid() % 100_000}b"
    # of each process its own, so that tests side by side do not meet
    net = f"10.{os.getpid() // 250 % 250}.{os.getpid() % 250}"
    near, far = f"{net}.1", f"{net}.2"
    setup = (
        f"ip netns add {name}",
        f"ip link add {here} type veth peer name {there} netns {name}",
        f"ip addr add {near}/30 dev {here}",
        f"ip link set {here} up",
        f"ip netns exec {name} ip addr add {far}/30 dev {there}",
        f"ip netns exec {name} ip link set {there} up",
    )
    with ExitStack() as stack:
        for at, command in enumerate(setup):
            try:
                done = subprocess.run(command.split(), capture_output=True, timeout=60, check=False).returncode
            except FileNotFoundError:
                done = 1
            if done:
                pytest.skip(f"a network of one's own is not allowed here: {command}")
            if at == 0:
                stack.callback(subprocess.run, ["ip", "netns", "del", name], check=False)
        inside = ["ip", "netns", "exec", name]
        # the database listens on loopback only, which the other host cannot see
        stack.enter_context(_forwarding([], near, str(port), str(onward), "127.0.0.1"))
        stack.enter_context(_forwarding(inside, far, str(port), str(port), near))
        route = [*inside, "ip", "route"]
        yield Between(far, port, (*route, "add", "blackhole", f"{near}/32"), (*route, "del", "blackhole", f"{near}/32"))
