"""The expectations of commsplit for a program that runs under a real MPI with mpi4py.

`from commsplit import expect, ...` finds this file when its folder is in PYTHONPATH. Expectations are
checked on each rank for itself, as commsplit does; a failed one is told, and the program goes on.
There is no `here`: a real MPI does not say where a rank runs.
"""

import os
import sys
import traceback

from mpi4py import MPI

world = MPI.COMM_WORLD
met = 0
unmet = 0
outcome = None  # the file that this rank's lines go to; None: standard error


def report(text):
    """Tell a line about this rank."""
    if outcome is None:
        print("[%d] %s" % (world.rank, text), file=sys.stderr, flush=True)
        return
    with open(outcome, "a") as out:
        out.write(text + "\n")


def line():
    """The line of the program that is being run."""
    here = os.path.abspath(__file__)
    outside = [f.lineno for f in traceback.extract_stack() if os.path.abspath(f.filename) != here]
    return outside[-1]


def check(ok, message):
    global met, unmet
    if ok:
        met += 1
    else:
        unmet += 1
        report("fails: line %d: %s" % (line(), message))


def expect(cond, msg=""):
    """cond must be true on every rank."""
    check(cond, msg or "a true value")


def ask(question, expr, answer=None, why=None):
    """Without a reader, a question is an expectation: expr is equal to answer, or true."""
    check(expr if answer is None else expr == answer, question)


def note(text):
    """Narration is for readers of commsplit."""


def bind(ranks, cpuset):
    """A real MPI leaves processes where the launcher put them: only commsplit moves them."""


def expect_error(cls, fn, *args, **kwargs):
    """fn(*args, **kwargs) must raise the MPI error class cls."""
    try:
        fn(*args, **kwargs)
    except MPI.Exception as e:
        check(e.Get_error_class() == cls, "expected class %d, found %s" % (cls, e))
    else:
        check(False, "expected an error of class %d, found none" % cls)


def members(group):
    """The world ranks of a group, in its order."""
    everybody = world.Get_group()
    found = list(MPI.Group.Translate_ranks(group, list(range(group.Get_size())), everybody))
    everybody.Free()
    group.Free()
    return found


def held(comm):
    """What a handle holds: None, a list of world ranks, or a pair of lists."""
    if comm == MPI.COMM_NULL:
        return None
    if comm.Is_inter():
        return (members(comm.Get_group()), members(comm.Get_remote_group()))
    return members(comm.Get_group())


def expect_parts(handle, parts):
    """handle must hold the part with this rank: world ranks in rank order; COMM_NULL if there is none."""
    mine = [p for p in parts if world.rank in (p[0] + p[1] if isinstance(p, tuple) else p)]
    want = mine[0] if mine else None
    found = held(handle)
    same = found == want or isinstance(found, tuple) and found[::-1] == want
    check(same, "expected %s, found %s" % (want, found))
