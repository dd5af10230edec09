// A page that is opened from a folder may not start a Worker: this one runs the script of the search in a hidden frame instead.
window.Worker = class extends EventTarget {
  constructor(url) {
    super();
    this.onmessage = this.onerror = null;
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.appendChild(frame);
    this.inside = frame.contentWindow;
    window.addEventListener("message", event => {
      if (event.source !== this.inside) return;
      const message = new MessageEvent("message", {data: event.data});
      this.dispatchEvent(message);
      if (this.onmessage) this.onmessage(message);
    });
    const page = frame.contentDocument;
    page.open();
    page.write(
      "<script>" +
        "window.postMessage = data => parent.postMessage(data, '*');" +
        // What a worker loads at once, a page loads one after the other.
        "window.importScripts = (...scripts) => scripts.reduce((before, script) => before.then(() => new Promise((done, failed) => {" +
        "const element = document.createElement('script');" +
        "element.src = new URL(script, base); element.onload = done; element.onerror = failed;" +
        "document.head.appendChild(element); })), Promise.resolve());" +
        "window.base = " + JSON.stringify(String(new URL(url, location.href))) + ";" +
      "</scr" + "ipt><script src=" + JSON.stringify(String(url)) + "></scr" + "ipt>");
    page.close();
    this.ready = new Promise(done => (frame.contentWindow.onload = done, setTimeout(done, 1000)));
  }
  postMessage(data) {
    const event = new MessageEvent("message", {data, source: window});
    this.ready = this.ready.then(() => { this.inside.dispatchEvent(event); });
  }
  terminate() {}
};
