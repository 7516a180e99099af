// Keeps the files of the page. The build writes their names, and a number that changes with what is in them.

const {version, files} = self.KEPT;
const CACHE = `glslc-multi-${version}`;

self.addEventListener("install", event => event.waitUntil(keep()));
self.addEventListener("activate", event => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", event => {
  if (event.request.method === "GET") event.respondWith(answer(event.request));
});

async function keep() {
  await (await caches.open(CACHE)).addAll(files);
  await self.skipWaiting();
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter(name => name.startsWith("glslc-multi-") && name !== CACHE).map(name => caches.delete(name)));
  await self.clients.claim();
}

async function answer(request) {
  return (await (await caches.open(CACHE)).match(request, {ignoreSearch: true})) ?? fetch(request);
}
