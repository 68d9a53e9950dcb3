// Bundles Lit, as the lock file has it, for the page of tables: node lit.mjs [FILE]
import { buildSync } from "esbuild"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const CONTENTS = `export {LitElement, html, css, svg, nothing} from "lit";`
const BANNER = "// Lit 3.3.3, bundled by `node editors/lit.mjs`. Copyright (c) 2017 Google LLC, BSD-3-Clause: see lit.LICENSE.\n"
const { outputFiles } = buildSync({
  stdin: { contents: CONTENTS, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
  bundle: true, format: "esm", minify: true, legalComments: "none", target: "es2021", write: false,
})
writeFileSync(process.argv[2] ?? fileURLToPath(new URL("../rulesrun/server/page/lit.js", import.meta.url)), BANNER + outputFiles[0].text)
