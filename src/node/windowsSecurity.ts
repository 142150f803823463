import type { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Loaded where it is called: it costs a hook, which reads the same files on other systems, several milliseconds. */
function run(...call: [string, string[], { encoding: 'utf8'; timeout: number; windowsHide: true }]): string {
  const { execFileSync: start } = createRequire(__filename)('node:child_process') as {
    execFileSync: typeof execFileSync;
  };
  return start(...call);
}

/** The folder of Windows as the system itself names it; environment variables are whoever's who set them. */
function windowsFolder(): string {
  try {
    return realpathSync.native('\\\\?\\GLOBALROOT\\SystemRoot').replace(/^\\\\\?\\/, '');
  } catch {
    return 'C:\\Windows';
  }
}

/** The folder for data of all users, from the registry of the machine. */
export function programData(): string {
  const fallback = path.win32.join(path.win32.parse(windowsFolder()).root, 'ProgramData');
  try {
    const key = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';
    const text = run(path.win32.join(windowsFolder(), 'System32', 'reg.exe'), ['query', key, '/v', 'ProgramData'], {
      encoding: 'utf8',
      timeout: 5000,
      windowsHide: true,
    });
    const value = /ProgramData\s+REG_(?:EXPAND_)?SZ\s+(.*\S)/.exec(text)?.[1];
    const full = value?.replace(/^%SystemDrive%/i, path.win32.parse(windowsFolder()).root.replace(/\\$/, ''));
    return full === undefined || full.includes('%') ? fallback : full;
  } catch {
    return fallback;
  }
}

/** The security descriptor of a file in text form. Throws where it cannot be asked. */
export function windowsSecurity(file: string): string {
  const shell = path.win32.join(windowsFolder(), 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const script = `(Get-Acl -LiteralPath '${file.replaceAll("'", "''")}').Sddl`;
  return run(shell, ['-NoProfile', '-NonInteractive', '-Command', script], {
    encoding: 'utf8',
    timeout: 15_000,
    windowsHide: true,
  });
}
