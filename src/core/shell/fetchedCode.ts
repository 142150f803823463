import type { ShellReading } from './shellReading';

/**
 * True where a line runs what it got from the network: by a pipe into a shell, by a substitution, or from the file that
 * it has just written.
 */
export function runsWhatItFetched({ accesses, unknown }: ShellReading): boolean {
  const isFetched = accesses.some(
    ({ effect, suspected }) => suspected === undefined && (effect === 'network.http' || effect === 'network.socket'),
  );
  if (!isFetched) return false;
  const written = new Set(
    accesses.filter(({ effect }) => effect === 'fs.write').map(({ resource }) => plain(resource)),
  );
  return (
    unknown.some(
      ({ code, text }) =>
        code === 'piped_into_shell' ||
        (code === 'unknown_word' && shellWords.test(text)) ||
        (/^(?:unknown_name|runs_code|runs_script)$/.test(code) && fetchedText.test(text)),
    ) ||
    (unknown.some(({ code }) => code === 'runs_script') &&
      accesses.some(
        ({ effect, resource, suspected }) =>
          effect === 'fs.read' && suspected === undefined && written.has(plain(resource)),
      ))
  );
}

const shellWords = /^(?:\S*\/)?(?:(?:ba|z|k|da|a|fi)?sh|eval|source|\.|python[\d.]*|node|perl|ruby|php)(?:\s|$)/;
/** A substitution that asks the network, or a pipe that is named as a file. */
const fetchedText = /(?:\$\(|`)\s*(?:sudo\s+)?(?:curl|wget|fetch|http|https|aria2c)\b|\/dev\/fd\/\d/;
const plain = (path: string): string => path.replace(/^\.\//, '');
