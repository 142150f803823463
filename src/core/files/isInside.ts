/** Tells whether a path is a folder or lies in it; both with either slash. */
export function isInside(value: string, root: string): boolean {
  const clean = value.replaceAll('\\', '/');
  const base = root.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
  return base !== '' && (clean === base || clean.startsWith(`${base}/`));
}
