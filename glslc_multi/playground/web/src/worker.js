// The compiler in the browser: Pyodide with our modules and those that they need, and one Python function.

let answer;

async function start({packages}) {
  const {loadPyodide} = await import(new URL("pyodide/pyodide.mjs", self.location));
  const archive = fetch(packages).then(found => found.arrayBuffer());
  postMessage({stage: "Python is being loaded"});
  const python = await loadPyodide({indexURL: new URL("pyodide/", self.location).href});
  python.unpackArchive(await archive, "zstdtar");
  postMessage({stage: "The compiler is being loaded"});
  answer = python.pyimport("glslc_multi.playground.session").answer;
  postMessage({ready: true});
}

onmessage = async ({data}) => {
  if (data.packages) {
    try {
      await start(data);
    } catch (problem) {
      postMessage({failed: String(problem)});
    }
  } else {
    postMessage({number: data.number, answer: answer(data.question)});
  }
};
