import { readFileSync } from 'node:fs';
import { asked, UsageError } from './args';

/** The token of a file that an option names, as callers of `serve --http` send it. */
export function readToken(file: string, option: string): string {
  const token = readTokenFile(file, option);
  if (!/^[\x21-\x7e]{32,512}$/.test(token))
    throw new UsageError(
      `\`${option}\` must hold one token of at least 32 printable characters, better 64 random hexadecimal digits`,
    );
  return token;
}

/** What stands in a file that holds a token, without white space around it. */
export function readTokenFile(file: string, option: string): string {
  return asked(`\`${option}\` cannot be read`, () => readFileSync(file, 'utf8').trim());
}
