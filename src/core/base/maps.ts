/** The value of a key; `first` becomes it where there is none. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, first: Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  map.set(key, first);
  return first;
}

/** Puts a value at the end of a map; where it holds more than `most`, those that stand first go. */
export function setLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}

/**
 * Answers the same question once, until there are more than `most`: then all are asked anew. Of no answer nothing is
 * remembered.
 */
export function remembering<Answer>(most: number, ask: (question: string) => Answer): (question: string) => Answer {
  const known = new Map<string, Answer>();
  return (question) => {
    const before = known.get(question);
    if (before !== undefined) return before;
    const answer = ask(question);
    if (answer === undefined) return answer;
    if (known.size >= most) known.clear();
    known.set(question, answer);
    return answer;
  };
}
