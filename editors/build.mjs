// Bundles CodeMirror for the playground: `node build.mjs [FILE]`. The versions are those of package-lock.json.
import { build } from "esbuild"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const licence = readFileSync(here("node_modules/@codemirror/state/LICENSE"), "utf-8").trim()

await build({
  entryPoints: [here("codemirror.js")],
  outfile: process.argv[2] ?? here("../rulesrun/playground/static/codemirror.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  banner: { js: `/*! CodeMirror and Lezer, bundled. https://codemirror.net\n${licence}\n*/` },
})
