/** Follows a stream of events (`text/event-stream`), in whatever pieces its bytes come. */
export class EventLines {
  /** Line ends so far. */
  lines = 0;
  /** Empty lines so far, each of which ends an event. */
  events = 0;
  /** Bytes since the last of them. */
  pending = 0;
  #isEmpty = true;
  #isAfterReturn = false;

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      this.pending++;
      const isSecond = byte === 10 && this.#isAfterReturn;
      this.#isAfterReturn = byte === 13;
      if (isSecond) continue;
      if (byte !== 10 && byte !== 13) {
        this.#isEmpty = false;
        continue;
      }
      this.lines++;
      if (this.#isEmpty) {
        this.events++;
        this.pending = 0;
      }
      this.#isEmpty = true;
    }
  }
}
