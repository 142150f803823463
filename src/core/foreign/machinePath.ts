import { namesOfPath } from '../base/slashPath';

/**
 * Names of folders that mean another place for each process: its working folder and its root. Read for the process that
 * gets the argument, `cwd` being where that one works. Undefined for what only that process knows (its open files).
 */
export function ofProcess(absolute: string, cwd: string | undefined): string | undefined {
  let path = absolute;
  for (let turn = 0; turn < 20; turn++) {
    const match = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(cwd|root|fd|map_files)(?=\/|$)(.*)$/s.exec(path);
    if (!match) return /^\/dev\/fd(?:\/|$)/.test(path) ? undefined : path;
    const rest = match[2] ?? '';
    if (match[1] === 'root') path = rest === '' ? '/' : rest;
    else if (match[1] === 'cwd' && cwd !== undefined) path = resolveDots(`${cwd}${rest}`);
    else return undefined;
  }
  return undefined;
}

/** Resolves `.`, `..` and doubled slashes as text. */
export function resolveDots(path: string): string {
  return `${path.startsWith('/') ? '/' : ''}${namesOfPath(path).names.join('/')}`;
}

/**
 * The ways in which one text may be meant as a path: as written, and without what some receivers cut off, decode or
 * fill in.
 */
export function pathTexts(text: string, cwd: string | undefined): readonly string[] {
  const found = new Set<string>([text]);
  const add = (one: string): void => {
    if (one !== '' && found.size < 12) found.add(one);
  };
  for (const one of [...found]) add(one.replace(/^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$/g, ''));
  // A C program stops at NUL.
  for (const one of [...found]) if (one.includes('\0')) add(one.slice(0, one.indexOf('\0')));
  for (const one of [...found]) add(plainWindows(one));
  for (const one of [...found]) add(filledIn(one, cwd));
  return [...found];
}

/** `\\?\C:\x`, `\\.\C:\x`, `\??\C:\x`, `\\?\UNC\localhost\C$\x` and `\\localhost\C$\x` as `C:\x`. */
function plainWindows(text: string): string {
  const slashes = text.replaceAll('\\', '/');
  const device = /^\/(?:\/[?.]|\?\?)\/(?:UNC\/|GLOBALROOT\/)?(.+)$/i.exec(slashes);
  const isUnc = /^\/(?:\/[?.]|\?\?)\/UNC\//i.test(slashes);
  const plain = device ? `${isUnc ? '//' : ''}${device[1] ?? ''}` : slashes;
  const share = /^\/\/(?:localhost|127\.0\.0\.1|\[?::1\]?|\.)\/([a-z])\$(?=\/|$)(.*)$/is.exec(plain);
  if (share) return `${share[1] ?? ''}:${share[2] ?? ''}`;
  return device ? plain : text;
}

/** What shells and editors put in place of variables that name the two folders that everybody has. */
function filledIn(text: string, cwd: string | undefined): string {
  const home = text.replace(
    /^(?:\$HOME\b|\$\{(?:env:)?HOME\}|\$\{userHome\}|%USERPROFILE%|%HOMEPATH%|\$env:(?:USERPROFILE|HOME)\b)/i,
    '~',
  );
  if (cwd === undefined) return home;
  return home.replace(
    /^(?:\$PWD\b|\$\{(?:env:)?PWD\}|\$\{workspace(?:Folder|Root)(?::[^}]*)?\}|\$\{cwd\}|%CD%|\$env:PWD\b)/i,
    () => cwd,
  );
}
