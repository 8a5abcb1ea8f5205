# The cells below hold a session of commsplit. Run this cell first; then each runs again, changed or not, after those above it.
import json, subprocess
from IPython.core.magic import register_cell_magic
from IPython.display import SVG, display

head = HEAD
cells, lines, pictures = {}, {}, {}

def told(script, *words):
    done = subprocess.run(["commsplit", *words], input=script, capture_output=True, text=True)
    return done.stdout, done.stderr

@register_cell_magic
def commsplit(number, text):
    "%%commsplit N runs the lines of cell N, after those of the cells before it."
    n = int(number)
    cells[n] = text.rstrip("\n") + "\n"
    script = head + "".join(cells[k] for k in sorted(cells) if k <= n)
    before = max((k for k in cells if k < n), default=None)
    run, wrong = told(script, "run", "-", "-o", "json")
    lines[n] = ["[%s] %s" % (o["ranks"], o["text"]) for o in json.loads(run)["output"] if "ranks" in o] if run else []
    for line in lines[n][len(lines.get(before, [])):]:
        print(line)
    print(wrong, end="")
    pictures[n], _ = told(script, "export", "-", "--to", "svg")
    if pictures[n] and pictures[n] != pictures.get(before):
        display(SVG(pictures[n]))
