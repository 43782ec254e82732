// Questions to the host, which answers them later: those that have not been answered yet, by their numbers.
export class Requests {
  constructor() {
    this.count = 0;
    this.waiting = new Map();
  }

  /** Ask for something: `send` takes its number. Return a promise of the answer. */
  ask(send) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      send(id);
    });
  }

  /** Return what settles a request, once; undefined if there is none of this number. */
  take(id) {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    return found;
  }

  /** Nothing that was asked for will be answered. */
  refuse(words) {
    for (const { reject } of this.waiting.values()) reject(new Error(words));
    this.waiting.clear();
  }
}
