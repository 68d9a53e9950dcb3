// Python begins to load before anything else of the page does.
export const makeWorker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" })
export const firstWorker = makeWorker()
