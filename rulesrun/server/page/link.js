// A seat's line to the server: comes back by itself, asks for what is missing, sends every request until it is answered.

export class SeatLink extends EventTarget {
  constructor(table, hello) {
    super();
    Object.assign(this, {table, hello, messages: [], waiting: new Map(), last: 0, tries: 0, isClosed: false, isOpen: false});
    this.connect();
    window.addEventListener("online", () => { if (!this.isOpen) this.connect(); });
  }

  connect() {
    clearTimeout(this.timer);
    if (this.isClosed) return;
    this.socket?.close();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}?language=${this.hello.language}`);
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({hello: {...this.hello, since: this.messages.at(-1)?.n ?? 0}}));
      this.tries = 0;
      this.isOpen = true;
      for (const {told} of this.waiting.values()) socket.send(JSON.stringify(told));
      this.tell("state");
    };
    socket.onmessage = event => { if (socket === this.socket) this.hear(JSON.parse(event.data)); };
    socket.onclose = () => {
      if (socket !== this.socket || this.isClosed) return;
      this.isOpen = false;
      this.tell("state");
      this.timer = setTimeout(() => this.connect(), Math.min(5000, 150 * 2 ** this.tries++));
    };
  }

  hear(told) {
    if (told.messages) {
      const known = this.messages.at(-1)?.n ?? 0;
      const news = told.messages.filter(one => one.n > known);
      if (news.length) { this.messages = [...this.messages, ...news]; this.tell("messages"); }
    } else if ("reply" in told) {
      this.waiting.get(told.id)?.done(told.reply);
      this.waiting.delete(told.id);
    } else if (told.refused) {
      this.isClosed = true;
      this.tell("refused", told.refused);
    } else this.tell("notice", told);
  }

  /** The reply; a request that got lost is sent again. */
  request(what) {
    const told = {id: ++this.last, ...what};
    return new Promise(done => {
      this.waiting.set(told.id, {told, done});
      if (this.isOpen && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(told));
    });
  }

  tell(type, detail) { this.dispatchEvent(new CustomEvent(type, {detail})); }
  close() { this.isClosed = true; clearTimeout(this.timer); this.socket?.close(); }
}

export async function call(path, body) {
  const response = await fetch(path, body === undefined ? {} : {
    method: "POST", headers: {"content-type": "application/json"}, body: JSON.stringify(body),
  });
  const told = await response.json();
  if (!response.ok) throw new Error(told.problem ?? response.statusText);
  return told;
}
