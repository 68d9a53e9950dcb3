// From options to what can be picked, and from picks to the options that are left. One pick may mean several things.
// An option is {option, action, arguments}; a pick is {key, ways: [{action, arguments}]}: any one of its ways must fit.

const same = (one, other) => String(one) === String(other);

function fits(option, way, used) {
  if (way.action !== undefined && way.action !== option.action) return null;
  const taken = {...used};
  for (const [name, wanted] of Object.entries(way.arguments ?? {})) {
    const value = option.arguments[name];
    if (value === undefined) return null;
    if (Array.isArray(value)) {
      const before = taken[name] ?? [];
      const have = value.filter(one => same(one, wanted)).length - before.filter(one => same(one, wanted)).length;
      if (have < 1) return null;
      taken[name] = [...before, wanted];
    } else {
      if (taken[name] !== undefined || !same(value, wanted)) return null;
      taken[name] = wanted;
    }
  }
  return taken;
}

/** How the picks fill the arguments of an option; null where they do not. */
function filled(option, picks) {
  let used = {};
  for (const pick of picks) {
    let next = null;
    for (const way of pick.ways) if ((next = fits(option, way, used))) break;
    if (!next) return null;
    used = next;
  }
  return used;
}

export function remaining(options, picks) {
  return options.filter(option => filled(option, picks) !== null);
}

/** The option that the picks say in full, or the only one that is left. */
export function complete(options, picks) {
  if (!picks.length) return null;
  const left = remaining(options, picks);
  const whole = left.filter(option => {
    const used = filled(option, picks);
    return Object.entries(option.arguments).every(([name, value]) =>
      Array.isArray(value) ? (used[name] ?? []).length === value.length : used[name] !== undefined);
  });
  if (whole.length === 1) return whole[0];
  return left.length === 1 ? left[0] : null;
}

const firstName = text => (text.match(/[^\W\d]\w*/u) ?? [""])[0];

/** What may be picked next: components by place, places, seats, values and actions. */
export function targets(table, options, picks) {
  const found = {components: new Map(), places: new Map(), seats: new Map(), values: [], actions: new Map()};
  const zones = new Map(table.zones.map(zone => [zone.name, zone]));
  const actions = new Map(table.actions.map(action => [action.name, action]));
  const left = remaining(options, picks);
  const add = (map, key, way) => {
    const ways = map.get(key) ?? [];
    if (!ways.some(one => JSON.stringify(one) === JSON.stringify(way))) ways.push(way);
    map.set(key, ways);
  };
  for (const option of left) {
    const used = filled(option, picks);
    add(found.actions, option.action, {action: option.action});
    const declared = actions.get(option.action)?.choices ?? [];
    const plain = [];
    for (const choice of declared) {
      const value = option.arguments[choice.name];
      if (value === undefined || value === null) continue;
      if (choice.component) {
        const zone = zones.get(firstName(choice.domain));
        const names = Array.isArray(value) ? without(value, used[choice.name] ?? []) : used[choice.name] === undefined ? [value] : [];
        for (const name of names) {
          add(found.components, `${name}@${zone ? zone.name : ""}`, {action: option.action, arguments: {[choice.name]: name}});
        }
      } else if (used[choice.name] === undefined) plain.push([choice, value]);
    }
    const placed = addPlaces(table, option, plain, found, add, listSteps(option, declared, used));
    const first = plain.findIndex(([choice]) => placed.has(choice.name));
    for (const [at, [choice, value]] of plain.entries()) {
      const way = {action: option.action, arguments: {[choice.name]: value}};
      if (choice.name === "player" || /^(players|opponents)$/.test(choice.domain)) add(found.seats, String(value), way);
      if (first >= 0 && at > first && !placed.has(choice.name)) continue; // first where, then the rest
      const known = found.values.find(one => one.name === choice.name && same(one.value, value));
      if (known) { if (!known.ways.some(one => one.action === way.action)) known.ways.push(way); }
      else found.values.push({name: choice.name, value, ways: [way]});
    }
  }
  return found;
}

function without(list, used) {
  const rest = [...list];
  for (const one of used) { const at = rest.findIndex(other => same(other, one)); if (at >= 0) rest.splice(at, 1); }
  return rest;
}

/** A place whose keys are of the types that are to be chosen stands for these values: a square, a row, a stand. Of an action
 * that is `aimed`, places of others; in a `circuit`, numbers count from one's own part; of a
 * `track`, numbers up to its end are places. A step from a square that is picked
 * already, as two numbers that may be negative, is the square where it leads. */
function addPlaces(table, option, plain, found, add, steps) {
  const {layout = {}} = table.look ?? {}, says = (name, word) => (layout[name] ?? "").split(/\s+/).includes(word);
  const isMine = says(option.action, "aimed") ? place => place.owner !== null && place.owner !== table.you
    : place => place.owner === null || place.owner === table.you;
  const placed = new Set();
  for (const room of [...table.zones, ...table.variables]) {
    const width = room.keys.length;
    if (!width) continue;
    const mark = (keys, part) => {
      const way = {action: option.action, arguments: Object.fromEntries(part.map(([choice, value]) => [choice.name, value]))};
      const places = room.places.filter(one => isMine(one) && one.keys.every((key, at) => same(key, keys[at])));
      for (const place of places) add(found.places, place.name, way);
      if (places.length) for (const [choice] of part) placed.add(choice.name);
      return places.length > 0;
    };
    for (let at = 0; at + width <= plain.length; at += 1) {
      const part = plain.slice(at, at + width);
      if (part.every(([choice], index) => (choice.board ?? choice.domain) === room.keys[index]) && mark(part.map(one => one[1]), part)) break;
    }
    if (width === 2) for (const {from, part} of steps) {
      if (from.every(([choice], index) => (choice.board ?? choice.domain) === room.keys[index])) mark(from.map(([, value], index) => value + part[index][1]), part);
    }
    const past = keys => String(keys).split("..")[1];
    if (width === 1 && says(room.name, "track")) for (const one of plain) if (past(one[0].domain) === past(room.keys)) mark([one[1]], [one]);
    const [first] = plain, size = room.places.length / table.players;
    if (width === 1 && says(room.name, "circuit") && first && first[0].domain !== room.keys[0] && first[1] <= size) {
      mark([room.places[(Math.max(table.you, 1) - 1) * size + first[1] - 1]?.keys[0]], [first]);
    }
  }
  return placed;
}

/** Two numbers to be chosen, of which one may be negative, behind two that are picked: a step. */
function listSteps(option, declared, used) {
  return declared.slice(0, -3).flatMap((_, at) => {
    const [row, column, ...part] = declared.slice(at, at + 4).map(choice => [choice, option.arguments[choice.name]]);
    const isStep = [row, column].every(([choice]) => used[choice.name] !== undefined) && part.every(([choice, value]) => /^\{?-\d/.test(choice.domain) && typeof value === "number" && used[choice.name] === undefined);
    return isStep ? [{from: [row, column], part}] : [];
  });
}
