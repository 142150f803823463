/** The patterns that one with braces (`*.{ts,env}`) stands for; at most a hundred. */
export function braceless(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0 && done.length + open.length < 100) {
    const next = open.pop() ?? '';
    const found = /\{([^{}]*)\}/.exec(next);
    if (!found) done.push(next);
    else
      for (const one of (found[1] ?? '').split(','))
        open.push(next.slice(0, found.index) + one + next.slice(found.index + found[0].length));
  }
  return [...done, ...open];
}
