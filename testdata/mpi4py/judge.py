"""Run programs under a real MPI, one after the other: judge.py FOLDER PROGRAM...

Each rank writes into FOLDER/INDEX.RANK how the program of that index ended: "passes: N expectations",
or a line that begins with "fails:" or "lacks:" (what this MPI or this mpi4py does not have). A rank
that does not pass ends all others, too.
"""

import os
import runpy
import sys

import mpi4py

# Error handlers are left to the MPI library: by default mpi4py sets one on every new communicator.
mpi4py.rc.errors = "default"

from mpi4py import MPI  # noqa: E402

import commsplit  # noqa: E402


def passes(path):
    commsplit.met = commsplit.unmet = 0
    MPI.COMM_WORLD.Set_errhandler(MPI.ERRORS_RETURN)
    MPI.COMM_SELF.Set_errhandler(MPI.ERRORS_RETURN)
    try:
        runpy.run_path(path, run_name="__main__")
    except (AttributeError, ImportError, NotImplementedError) as e:
        commsplit.report("lacks: %s" % str(e).replace("\n", " "))
        return False
    except Exception as e:
        commsplit.report("fails: %s: %s" % (type(e).__name__, str(e).replace("\n", " ")))
        return False
    if commsplit.unmet == 0:
        commsplit.report("passes: %d expectations" % commsplit.met)
    return commsplit.unmet == 0


for index, program in enumerate(sys.argv[2:]):
    commsplit.outcome = os.path.join(sys.argv[1], "%d.%d" % (index, MPI.COMM_WORLD.rank))
    if not passes(program):
        MPI.COMM_WORLD.Abort(1)
    MPI.COMM_WORLD.Barrier()
