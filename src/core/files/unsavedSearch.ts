import { LeftOut } from './leftOut';
import { comparePaths } from './paths';
import type { LeftOutCounts, SearchFile, SearchQuery, Sink } from '../ports/fileSearch';

type Search = (query: SearchQuery, sink: Sink<SearchFile>) => Promise<LeftOutCounts>;

/**
 * The text that an editor holds of a file, by the file's path relative to its folder; undefined where it holds nothing
 * unsaved.
 */
type UnsavedText = (path: string) => string | undefined;

/**
 * Searches files with what editors hold of them in place of what the disk holds. Whether a file is meant is for the
 * walk and the judge to say, as for any other: the search is told that it may not open such a file, and its text is
 * searched here, at its place in the order.
 */
export async function searchWithUnsaved(
  search: Search,
  textOf: UnsavedText,
  query: SearchQuery,
  sink: Sink<SearchFile>,
): Promise<LeftOutCounts> {
  // The engine for expressions is large, and needed here only.
  const [{ compileLineMatcher }, { searchText }] = await Promise.all([import('./lineMatcher'), import('./searchText')]);
  const matcher = compileLineMatcher(query);
  const waiting = new Map<string, string>();
  const left = new LeftOut();
  let isEnough = false;
  const searchUntil = async (path: string | undefined): Promise<void> => {
    const due = [...waiting.keys()]
      .filter((one) => path === undefined || comparePaths(one, path) < 0)
      .sort(comparePaths);
    for (const one of due) {
      const text = waiting.get(one) ?? '';
      waiting.delete(one);
      const found = searchText(new TextEncoder().encode(text), matcher, query);
      if (typeof found === 'string') left.add(found);
      else if (found && !isEnough) isEnough = !(await sink([{ path: one, ...found }]));
    }
  };
  const seen = new Set<string>();
  const leftBelow = await search(
    {
      ...query,
      judge: async (paths) => {
        const verdicts = await query.judge(paths);
        return paths.map((path, index) => {
          const allowed = verdicts[index] === true;
          const text = allowed ? textOf(path) : undefined;
          if (text === undefined) return allowed;
          // An engine may ask twice about the same file.
          if (!seen.has(path)) waiting.set(path, text);
          seen.add(path);
          return false;
        });
      },
    },
    async (batch) => {
      for (const file of batch) {
        await searchUntil(file.path);
        if (!isEnough) isEnough = !(await sink([file]));
        if (isEnough) return false;
      }
      return true;
    },
  );
  if (!isEnough) await searchUntil(undefined);
  left.addAll(leftBelow);
  return left.counts;
}
