// After the first visit everything comes from here, also without a network. A new version is fetched as a whole.
const VERSION = "@version@"
const FILES = ["./", @files@]

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(VERSION)
      .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" }))))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter((name) => name !== VERSION && name.startsWith("rulesrun-")).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return
  event.respondWith(
    caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((found) => found ?? fetch(event.request)),
  )
})
