// How components look: a colour, a sign and a word for each value, a large number, a shape for each noun; as the rules
// say it in `look`, else by themselves.
import {html, svg} from "./lit.js";

const HUES = {
  red: "#c1303c", orange: "#b44e06", yellow: "#f3c433", green: "#2c7a3d", blue: "#2660bd", violet: "#6f40b3", pink: "#c0327a",
  black: "#26262b", white: "#f6f3ea", grey: "#5d6570", brown: "#7a4b24", cyan: "#0d7285", gold: "#b5860f", silver: "#8a939e",
};
const COURTS = {11: "J", 12: "Q", 13: "K", 14: "A"}; // of cards with the four suits
const CARD = "#fffdf6", DARK = "#1d2023", LEGIBLE = 4.6;
const ALIKE = {purple: "violet", gray: "grey", teal: "cyan", turquoise: "cyan", lime: "green", crimson: "red", magenta: "pink", navy: "blue"};
const SPARE = ["cyan", "gold", "brown", "grey", "blue", "red", "green", "violet", "orange", "pink", "black"];
const SIGNS = [
  "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z", "M12 3L22 20.5H2z", "M4 4h16v16H4z", "M12 2l8.5 10L12 22L3.500 12z",
  "M12 2l2.900 6.500 7.100.7-5.300 4.700 1.600 7L12 17.200 5.700 20.900l1.600-7L2 9.200l7.100-.7z",
  "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z",
  "M12 21C5 15.500 2.500 12 2.500 8.500A4.800 4.800 0 0 1 12 6.800 4.800 4.800 0 0 1 21.500 8.500C21.500 12 19 15.500 12 21z",
  "M7 3h10l5 9-5 9H7l-5-9z", "M12 2c4 6 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7 7-13z", "M3 5h18L12 21z",
  "M2 9.500h20v5H2z", "M5 3h14v3L14 12l5 6v3H5v-3l5-6-5-6z",
];
const HEART = SIGNS[6], BLACK = HUES.black, RED = HUES.red;
const SUITS = {
  hearts: [RED, HEART], diamonds: [RED, "M12 1.500L19.500 12L12 22.500L4.500 12z"],
  spades: [BLACK, "M12 1.500C16 6.500 21.500 9.500 21.500 14.200a4.600 4.600 0 0 1-8.300 2.600L14.600 22.500H9.400l1.400-5.700a4.600 4.600 0 0 1-8.300-2.600C2.500 9.500 8 6.500 12 1.500z"],
  clubs: [BLACK, "M12 1.500a4.700 4.700 0 0 0-3.900 7.300 4.700 4.700 0 1 0 2.800 7.700L9.500 22.500h5l-1.400-6a4.700 4.700 0 1 0 2.800-7.700A4.700 4.700 0 0 0 12 1.500z"],
};
const DOTS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8], [0, 2, 3, 4, 5, 6, 8], [0, 1, 2, 3, 5, 6, 7, 8], [0, 1, 2, 3, 4, 5, 6, 7, 8]];
const SEATS = ["#0f6d7a", "#b3481a", "#5a4fc0", "#7b6a00", "#a2306e", "#3a7a2c", "#54606e", "#8a3c3c"];
const MARKS = ["M4 6.500L6.500 4 12 9.500 17.500 4 20 6.500 14.500 12 20 17.500 17.500 20 12 14.500 6.500 20 4 17.500 9.500 12z",
  "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18zm0 4a5 5 0 1 1 0 10a5 5 0 1 1 0-10z", ...SIGNS.slice(1)];

const parts = colour => [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
const light = colour => parts(colour).map(one => one / 255).map(one => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
  .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
const contrast = (one, other) => {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const darker = colour => `#${parts(colour).map(one => Math.round(one * 0.88).toString(16).padStart(2, "0")).join("")}`;
const legible = colour => (contrast(colour, CARD) >= LEGIBLE ? colour : legible(darker(colour)));

/** Fill, what is written on it, and the same colour as it can be read on a card. */
const dress = (fill, path, symbol) => ({
  fill, ink: contrast(fill, "#ffffff") >= contrast(fill, DARK) ? "#fff" : DARK, figure: legible(fill), path, symbol,
});

export const sign = path => svg`<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`;
export const mark = dress => (dress.symbol ? html`<span class="sign symbol">${dress.symbol}</span>` : sign(dress.path));
export const seatColour = seat => SEATS[(seat - 1) % SEATS.length];
export const seatMark = seat => sign(MARKS[(seat - 1) % MARKS.length]);

export const man = seat => html`<span class="man" style="background:${seatColour(seat)}">${seatMark(seat)}</span>`;

/** A half of a domino: its number as dots, where it has so few. */
export const half = number => html`<span class="half">${DOTS[number] ? svg`<svg viewBox="0 0 24 24">${DOTS[number].map(at => svg`<circle cx=${5 + 7 * (at % 3)} cy=${5 + 7 * Math.floor(at / 3)} r="2.600"></circle>`)}</svg>` : number}</span>`;

/** Works out once for a table which attribute is the colour and which the number. */
export function makeLooks(table) {
  const kinds = new Map(), values = new Map();
  const {look: {colours = {}, symbols = {}} = {}, labels = {}} = table;
  for (const declared of table.components) {
    const columns = declared.attributes.map(name => ({name, values: [...new Set(declared.kinds.map(kind => kind.attributes[name]))]}));
    const words = columns.filter(one => one.values.every(value => typeof value === "string" && !/^(yes|no)$/.test(value)));
    const isHue = value => Object.hasOwn(HUES, ALIKE[value] ?? value);
    const colour = words.find(one => one.values.some(isHue)) ?? words[0];
    const isShort = value => typeof value !== "string" || value.length < 3 || labels[value]?.length < 3;
    const numbers = columns.filter(one => one.values.every(value => typeof value === "number"));
    const figures = words.find(one => one !== colour && one.values.every(isShort));
    const halves = declared.noun === "tile" && columns.length === 2 && numbers.length === 2 ? numbers : null;
    const own = declared.kinds.some(kind => columns.some(one => String(kind.attributes[one.name]) === kind.name || kind.name.includes("-")));
    const isNamed = columns.length > 0 && !own && declared.kinds.every(kind => !/^\d/.test(kind.name)) && !words.some(one => declared.kinds.every(kind => kind.attributes[one.name] === kind.name));
    const number = figures ?? numbers.find(one => /^(rank|number|value)$/.test(one.name)) ?? (isNamed ? undefined : numbers.find(one => one.name !== "owner"));
    const hues = colour ? dressValues(colour.values, colours, symbols) : new Map();
    for (const [value, dress] of hues) if (!values.has(value)) values.set(value, dress);
    const isCourtly = colour && numbers.includes(number) && colour.values.length === 4 && colour.values.every(value => Object.hasOwn(SUITS, value)) && number.values.every(value => value > 0 && value < 15);
    const largest = number && !figures ? Math.max(...number.values) : 0, least = number && !figures ? Math.min(...number.values) : 0;
    for (const kind of declared.kinds) {
      const attributes = kind.attributes, usual = colour ? hues.get(attributes[colour.name]) : null;
      const fill = colours[kind.name] ?? usual?.fill ?? colours[declared.name], symbol = symbols[kind.name] ?? usual?.symbol ?? symbols[declared.name];
      kinds.set(`${declared.name}/${kind.name}`, {
        name: kind.name, noun: declared.noun, copies: kind.copies, isNamed,
        number: number ? attributes[number.name] : null, halves: halves?.map(one => attributes[one.name]),
        court: isCourtly ? COURTS[attributes[number.name] === 1 && largest < 14 ? 14 : attributes[number.name]] : null,
        part: number && largest > least ? (attributes[number.name] - least) / (largest - least) : null,
        colour: colour ? attributes[colour.name] : null,
        dress: fill ? dress(fill, usual?.path ?? SIGNS[0], symbol) : null, symbol,
        others: declared.attributes.filter(name => name !== number?.name && name !== colour?.name)
          .map(name => [name, attributes[name]]),
      });
    }
  }
  return {kinds, values};
}

function dressValues(values, colours, symbols) {
  const taken = new Set(values.map(value => ALIKE[value] ?? value).filter(value => Object.hasOwn(HUES, value)));
  const spare = SPARE.filter(name => !taken.has(name));
  return new Map(values.map((value, at) => {
    const known = ALIKE[value] ?? value;
    const suit = Object.hasOwn(SUITS, value) ? SUITS[value] : null;
    const hue = Object.hasOwn(HUES, known) ? HUES[known] : suit ? suit[0] : HUES[spare.shift() ?? "grey"];
    return [value, dress(colours[value] ?? hue, suit ? suit[1] : SIGNS[at % SIGNS.length], symbols[value])];
  }));
}
