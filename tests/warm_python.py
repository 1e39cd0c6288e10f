"""The client of ``tests/forked.py`` on a command line: ``warm_python.py SOCKET ARGUMENTS…`` is
``python ARGUMENTS…``, with its files, folder and environment, in a process that was forked.

It imports only what Python has built in: its start is all that such a command waits for. The signal
SIGUSR1 stands for SIGKILL, which nobody can pass on.
"""

import _signal
import _socket
import marshal
import posix
import sys

passed = {_signal.SIGHUP, _signal.SIGINT, _signal.SIGTERM, _signal.SIGUSR1}
_signal.pthread_sigmask(_signal.SIG_BLOCK, passed)
channel = _socket.socket(_socket.AF_UNIX)
channel.connect(sys.argv[1])
umask = posix.umask(0)
request = marshal.dumps((sys.argv[2:], dict(posix.environ), posix.getcwd(), umask))
files = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
head = len(request).to_bytes(4, "big")
channel.sendmsg([head], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
while request:
    request = request[channel.send(request) :]


def pass_on(number, _frame):
    try:  # noqa: SIM105  # contextlib takes longer to import than all this
        channel.send(bytes([_signal.SIGKILL if number == _signal.SIGUSR1 else number]))
    except OSError:  # the process has just ended
        pass


for number in passed:
    if _signal.getsignal(number) != _signal.SIG_IGN:
        _signal.signal(number, pass_on)
_signal.pthread_sigmask(_signal.SIG_UNBLOCK, passed)
code = int(channel.recv(16) or 1)
if code < 0:
    if -code != _signal.SIGKILL:
        _signal.signal(-code, _signal.SIG_DFL)
    posix.kill(posix.getpid(), -code)
posix._exit(code)
