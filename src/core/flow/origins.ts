import type { FlowSource } from '../vocabulary/flow';

/** A source of which is not told any more whose it is: it may go back to nobody unasked. */
export function ofNobody({ label, kind, resource, tool, at, through }: FlowSource): FlowSource {
  return { label, kind, resource, tool, at, ...(through === undefined ? {} : { through }) };
}

/**
 * Some of many sources of one label. Whoever is left out is not forgotten: one for each origin comes first, and where
 * there are more origins than places the last is nobody's.
 * @param most at least 1.
 */
export function fewest(sources: readonly FlowSource[], most: number): readonly FlowSource[] {
  if (sources.length <= most) return sources;
  const firsts = new Map<string | undefined, FlowSource>();
  for (const source of sources) if (!firsts.has(source.origin)) firsts.set(source.origin, source);
  const chosen = [...firsts.values()];
  if (chosen.length > most) {
    const kept = chosen.slice(0, most - 1);
    const rest = chosen[most - 1];
    return rest ? [...kept, ofNobody(rest)] : kept;
  }
  const others = sources.filter((one) => !chosen.includes(one));
  return [...chosen, ...others.slice(0, most - chosen.length)];
}
