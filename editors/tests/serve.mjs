// A folder as a web site on a free port of this machine; every request is noted.
import { createServer } from "node:http"
import { readFile } from "node:fs/promises"
import { extname, join, normalize } from "node:path"

const KINDS = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
  ".json": "application/json", ".wasm": "application/wasm", ".zip": "application/zip",
}

export async function serveFolder(folder) {
  const requests = []
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://here").pathname)
    requests.push(path)
    try {
      const content = await readFile(join(folder, normalize(path === "/" ? "/index.html" : path)))
      response.writeHead(200, { "content-type": KINDS[extname(path === "/" ? ".html" : path)] ?? "text/html; charset=utf-8" })
      response.end(content)
    } catch {
      response.writeHead(404)
      response.end()
    }
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    requests,
    close: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve) }),
  }
}
