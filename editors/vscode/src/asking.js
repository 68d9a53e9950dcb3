// Questions to a worker and its answers, by their numbers. `post` sends; `receive` is called with what comes back.
export class Questions {
  constructor(post) {
    this.post = post
    this.number = 0
    this.open = new Map()
    this.ready = new Promise((resolve, reject) => Object.assign(this, { resolveReady: resolve, rejectReady: reject }))
  }

  receive(data) {
    if (data.state === "ready") this.resolveReady()
    else if (data.state) this.rejectReady(new Error(data.reason))
    else {
      const { resolve, reject } = this.open.get(data.id)
      this.open.delete(data.id)
      if (data.error) reject(new Error(data.error))
      else resolve(data.answer)
    }
  }

  async ask(method, values) {
    await this.ready
    return new Promise((resolve, reject) => {
      this.number += 1
      this.open.set(this.number, { resolve, reject })
      this.post({ id: this.number, method, ...values })
    })
  }
}
