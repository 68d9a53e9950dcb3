// Starts the worker of the extension in `argv[2]` under Node, asks it what standard input lists, prints the answers as JSON.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { Questions } from "../vscode/src/asking.js"

const folder = process.argv[2]
const worker = new Worker(`${folder}/dist/worker.js`)
const questions = new Questions((data) => worker.postMessage(data))
worker.on("message", (data) => questions.receive(data))
worker.on("error", (reason) => questions.receive({ state: "failed", reason: reason.message }))
worker.postMessage({ start: pathToFileURL(`${folder}/dist`).href })
const answers = []
for (const { method, ...values } of JSON.parse(readFileSync(0, "utf-8"))) {
  answers.push(await questions.ask(method, values).catch((reason) => ({ error: reason.message })))
}
await worker.terminate()
process.stdout.write(JSON.stringify(answers))
