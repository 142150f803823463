import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The files of src of which a function ran while `work` did, by the engine's own count of calls. */
export async function filesRun(work: () => Promise<unknown>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    return [...new Set(result.flatMap(sourcesRun))].sort();
  } finally {
    session.disconnect();
  }
}

/** The source of each function that ran, by the map that the bundle carries. */
function sourcesRun({ url, functions }: Profiler.ScriptCoverage): readonly string[] {
  const map = url.includes('/.build/tests/') ? findSourceMap(fileURLToPath(url)) : undefined;
  if (!map) return [];
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return functions.flatMap(({ ranges: [whole] }) => {
    // What starts with the file is its top level, which ran when it was loaded.
    if (!whole || whole.count === 0 || whole.startOffset === 0) return [];
    const line = lines.findLastIndex((start) => start <= whole.startOffset);
    const entry = map.findEntry(line, whole.startOffset - (lines[line] ?? 0));
    const [source] = 'originalSource' in entry ? (/\bsrc\/.*/.exec(entry.originalSource) ?? []) : [];
    return source ?? [];
  });
}
