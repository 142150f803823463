/** The patterns that one with braces (`*.{ts,env}`) stands for; undefined for more than a hundred. */
export function braceless(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    if (done.length + open.length > 100) return undefined;
    const next = open.pop() ?? '';
    const found = /\{([^{}]*)\}/.exec(next);
    if (!found) done.push(next);
    else
      for (const one of (found[1] ?? '').split(','))
        open.push(next.slice(0, found.index) + one + next.slice(found.index + found[0].length));
  }
  return done;
}
