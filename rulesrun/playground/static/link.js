// A rulebook in the address: deflated, then base64 with `-` and `_`. Everything behind `#` stays in the browser.

const LONGEST = 2_000_000 // characters of a rulebook that a link may bring

export async function encodeLink(text) {
  const packed = await passThrough(new TextEncoder().encode(text), new CompressionStream("deflate-raw"))
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

export async function decodeLink(code) {
  const packed = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0))
  return new TextDecoder("utf-8", { fatal: true }).decode(await passThrough(packed, new DecompressionStream("deflate-raw")))
}

async function passThrough(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const parts = []
  let length = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length
    if (length > LONGEST) throw new RangeError("too long")
    parts.push(part.value)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

// `#rules=…`, with `&play` to sit down at once.
export function readFragment(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""))
  return { code: parts.get("rules"), plays: parts.has("play"), game: parts.get("game") }
}
