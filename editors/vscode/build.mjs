// Bundles the two entries of the extension into FOLDER/dist: `node build.mjs FOLDER`.
import { build } from "esbuild"
import { cpSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { join } from "node:path"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const target = process.argv[2]
const common = { bundle: true, minify: true, format: "cjs", external: ["vscode"], target: "es2022", legalComments: "external" }

await build({ ...common, entryPoints: [here("src/node.js")], outfile: join(target, "dist/node.js"), platform: "node" })
await build({ ...common, entryPoints: [here("src/browser.js")], outfile: join(target, "dist/browser.js"), platform: "browser" })
cpSync(here("src/worker.js"), join(target, "dist/worker.js"))
for (const name of ["package.json", "language-configuration.json", "README.md", "syntaxes"]) cpSync(here(name), join(target, name), { recursive: true })
