/** The pairs of letters that are most common in sources and web pages, the commonest first. */
const pairs =
  'onreinerstorcoteleatenestithdentanitnearselietroaslamengedndiseatoioherialtansaddifipaomungeextrportssmailurefolimecidouctnaamclpeacchhadocaceutravenolottfompsitsowicllprodxtptnchityagofelhtooottuscbe';
const ranks: ReadonlyMap<string, number> = new Map(
  (pairs.match(/../g) ?? []).map((pair, at) => [pair, pairs.length - 2 * at]),
);

/** How common a pair of letters in lower case is; 0 for all but the hundred most common. */
export const commonPair = (pair: string): number => ranks.get(pair) ?? 0;
