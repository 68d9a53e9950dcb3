// A seat's messages in, what there is to draw out. Knows nothing of the page and nothing of any game.

const CLOSES = new Set(["chose", "held", "heard", "saw", "view", "shown", "score", "end", "stopped", "undone"]);

export function emptyPosition() {
  return {
    table: null, seats: [], view: null, question: null, held: null, thinking: [], undo: "no", undoAsked: null,
    log: [], changes: [], recent: [], end: null, stopped: null, shown: null, n: 0,
  };
}

/** The position after one message more; the one before stays as it is. */
export function follow(before, message) {
  const now = {...before, n: message.n ?? before.n};
  if (CLOSES.has(message.kind)) {
    now.question = null;
    if (message.kind !== "held") now.held = null;
  }
  const said = (message.log ?? []).filter(Boolean);
  if (said.length) {
    now.log = [...now.log, ...said.map(text => ({n: message.n, text, kind: message.kind}))];
    const [text, ...more] = said, isChoice = message.kind === "chose" || message.kind === "heard";
    now.recent = message.kind === "chose" ? [{text, more}] : isChoice ? [...before.recent, {text, more}]
      : before.recent.map((one, at) => (at === before.recent.length - 1 ? {...one, more: [...one.more, ...said]} : one));
  }
  switch (message.kind) {
    case "table": now.table = message; break;
    case "seats": now.seats = message.seats; break;
    case "view":
      now.view = message.view;
      now.changes = before.settled ? message.changes : [...before.changes, ...message.changes];
      now.settled = true;
      now.shown = message.view.shown?.length ? message.view.shown : null;
      return now;
    case "saw":
      now.view = mergeView(before.view, message.saw);
      now.changes = before.settled ? message.changes : [...before.changes, ...message.changes];
      now.settled = false;
      return now;
    case "chose": case "heard": now.thinking = []; break;
    case "shown": now.shown = message.shown ? [message.shown] : null; break;
    case "question": now.question = message; now.undoAsked = null; break;
    case "held": now.held = message; break;
    case "thinking": now.thinking = message.seats; break;
    case "undo": now.undo = message.may; break;
    case "undo-asked": now.undoAsked = message; break;
    case "undo-refused": now.undoAsked = null; break;
    case "undone": Object.assign(now, {undoAsked: null, end: null, stopped: null, recent: []}); break;
    case "end": Object.assign(now, {end: message, thinking: []}); break;
    case "stopped": now.stopped = message; break;
  }
  return now;
}

function mergeView(view, part) {
  const seen = view ?? {zones: {}, variables: {}, scores: {}, shown: []};
  return {
    ...seen, ...part,
    zones: {...seen.zones, ...part.zones},
    variables: {...seen.variables, ...part.variables},
  };
}

export function followAll(messages, from = emptyPosition()) {
  return messages.reduce(follow, from);
}

/** The numbers of the messages at which there is something to look at: where somebody is asked, and the end. */
export function moments(messages) {
  return messages.filter(one => one.kind === "view" || one.kind === "end").map(one => one.n);
}

/** What lies at a place, flat: names of components, null for one that is not seen; a part in any order is a part. */
export function contentsOf(content) {
  if (content === undefined || content === null) return [];
  if (Array.isArray(content)) return content.flat();
  const found = Array(content.count).fill(null);
  if (content.top !== undefined && content.top !== null && found.length) found[found.length - 1] = content.top;
  return found;
}

export function labelOf(table, name) {
  const labels = table?.labels ?? {};
  const own = String(name);
  if (Object.hasOwn(labels, own)) return labels[own];
  return own.replaceAll("_", " ");
}

export function componentWords(table, name) {
  if (name === null) return "";
  if (Object.hasOwn(table?.labels ?? {}, name)) return table.labels[name];
  return name.startsWith("-") ? name : name.split("-").map(part => labelOf(table, part)).join(" ");
}
