// Browsers start no workers from files.  There, the search runs in a hidden frame instead.
if (location.protocol === "file:") window.Worker = class extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.body.appendChild(Object.assign(document.createElement("iframe"), {hidden: true}));
    const inner = this.frame.contentWindow;
    inner.document.open();
    inner.document.write(`<script>
      postMessage = data => parent.postMessage(data, "*");
      importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise(resolve => {
        document.body.appendChild(Object.assign(document.createElement("script"), {src: url, onload: resolve}));
      })), Promise.resolve());
    </scr` + `ipt><body><script src="${url}"></scr` + `ipt></body>`);
    inner.document.close();
    this.ready = new Promise(resolve => { inner.onload = resolve; });
    addEventListener("message", event => {
      if (event.source === inner) this.dispatchEvent(new MessageEvent("message", {data: event.data}));
    });
  }
  postMessage(data) {
    this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", {data})));
  }
  terminate() { this.frame.remove(); }
};
