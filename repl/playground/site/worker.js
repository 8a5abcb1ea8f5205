// worker.js: runs the engine beside the page, so that the page stays awake while a line runs, and can end it. The
// first message is the compiled engine; the engine itself takes those that follow.
"use strict";
importScripts("wasm_exec.js");

onmessage = async ({ data: module }) => {
  const early = [];
  onmessage = (e) => early.push(e);
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  const ended = go.run(instance); // up to where it waits for messages
  for (const e of early) onmessage(e);
  await ended;
  throw new Error("the engine has ended");
};
