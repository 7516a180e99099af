// Whoever answers the page's questions: the compiler in a worker of this browser, or behind `glslc-multi playground`.

// An engine is asked a question; the server ends what it does for one whose `signal` is aborted.
export async function openEngine(config, tell) {
  return config.engine === "server" ? openServer() : openWorker(config, tell);
}

function openServer() {
  return async (question, signal) => {
    const asked = {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(question), signal};
    try {
      return await (await fetch("session", asked)).json();
    } catch {
      return {error: "glslc-multi playground does not answer: is it still running?"};
    }
  };
}

// Questions wait in line: the worker answers one after the other.
function openWorker(config, tell) {
  const worker = new Worker("worker.js", {type: "module"});
  const waiting = new Map();
  let number = 0;
  return new Promise((ready, failed) => {
    worker.onerror = event => failed(new Error(event.message || "the compiler could not be started"));
    worker.onmessage = ({data}) => {
      if (data.stage) tell(data.stage);
      else if (data.failed) failed(new Error(data.failed));
      else if (data.ready) ready(question => new Promise(answered => {
        waiting.set(++number, answered);
        worker.postMessage({number, question: JSON.stringify(question)});
      }));
      else {
        waiting.get(data.number)(JSON.parse(data.answer));
        waiting.delete(data.number);
      }
    };
    worker.postMessage(config);
  });
}
