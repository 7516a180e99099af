// After the first visit the page needs no network: a service worker keeps its files.

export async function keepOffline(tell) {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("service-worker.js");
    await navigator.serviceWorker.ready;
    document.documentElement.dataset.offline = "ready";
    tell("works offline");
  } catch { /* Pages that are no files of a server, and private windows, have none. */ }
}
