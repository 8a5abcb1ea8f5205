// engine.js: the two engines that answer the requests of the page: one in a Web Worker, one behind a server.

/** Why a request has no answer: the engine was stopped, or has ended. */
class Ended extends Error {}

/** The engine in this page, as WebAssembly in a worker, which is ended and begun anew to stop a line. */
class WorkerEngine {
  constructor() {
    this.waiting = new Map(); // by id of the request
    this.next = 1;
  }

  async start() {
    this.module ??= await compiled("commsplit.wasm.gz");
    await new Promise((ready, fails) => {
      const worker = (this.worker = new Worker("worker.js"));
      worker.onmessage = ({ data }) => {
        const answer = JSON.parse(data);
        if (!answer.id) return ready();
        const w = this.waiting.get(answer.id);
        this.waiting.delete(answer.id);
        w?.answered(answer);
      };
      worker.onerror = (e) => {
        e.preventDefault();
        fails(new Error(e.message || "the engine does not start"));
        this.end();
      };
      worker.postMessage(this.module);
    });
  }

  /** Ends the worker; what waits for an answer gets none. */
  end() {
    this.worker?.terminate();
    this.worker = null;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const w of all) w.fails(new Ended("stopped"));
  }

  async ask(request) {
    if (!this.worker) await this.start();
    const id = this.next++;
    return new Promise((answered, fails) => {
      this.waiting.set(id, { answered, fails });
      this.worker.postMessage(JSON.stringify({ ...request, id }));
    });
  }

  stop() {
    this.end();
  }
}

/** Compiles the engine while it is being fetched. A server may have unpacked it on the way. */
async function compiled(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: the server answers ${response.status} ${response.statusText}`);
  const reader = response.body.getReader();
  const all = Number(response.headers.get("Content-Length")); // of what comes, packed or not
  const first = await reader.read();
  const packed = first.value?.[0] === 0x1f && first.value?.[1] === 0x8b;
  let come = 0;
  const take = (to, value) => {
    come += value.length;
    if (packed && all && $("come")) attrs($("come"), { max: all, value: come });
    if ($("bytes")) $("bytes").textContent = `${(come / 1e6).toFixed(1)}${packed && all ? " of " + (all / 1e6).toFixed(1) : ""} MB`;
    to.enqueue(value);
  };
  let bytes = new ReadableStream({
    start: (to) => take(to, first.value),
    async pull(to) {
      const { done, value } = await reader.read();
      if (done) to.close();
      else take(to, value);
    },
  });
  if (packed) bytes = bytes.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }));
}

/** The engine of commsplit serve. A request that is given up ends the line that runs. */
class ServerEngine {
  constructor() {
    this.page = crypto.randomUUID();
    this.running = new Set();
    addEventListener("pagehide", () => navigator.sendBeacon("close", new Blob([JSON.stringify({ page: this.page })], { type: "application/json" })));
  }

  async ask(request) {
    const stopper = new AbortController();
    this.running.add(stopper);
    try {
      const response = await fetch("ask", {
        method: "POST", signal: stopper.signal, headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ page: this.page, request: { ...request, id: 1 } }),
      });
      if (!response.ok) throw new Error((await response.text()).trim() || response.statusText);
      return await response.json();
    } catch (e) {
      if (stopper.signal.aborted) throw new Ended("stopped");
      throw e instanceof TypeError ? new Error("commsplit serve does not answer: it has ended") : e;
    } finally {
      this.running.delete(stopper);
    }
  }

  stop() {
    for (const s of this.running) s.abort();
  }
}

const engine = document.body.dataset.engine === "server" ? new ServerEngine() : new WorkerEngine();
