import type { ReadArguments } from './arguments';
import type { Field } from './field';

/**
 * The names and paths by which `rsync` leaves out what it would copy; those with wildcards are not among them. None
 * where a rule may take something in again, or cannot be read: then nobody can say what stays out.
 */
export function namesLeftOut({ values, options }: ReadArguments): readonly string[] {
  const names: string[] = [];
  if (['-F', '-C', '--cvs-exclude'].some((one) => options.has(one))) return names;
  for (const { name, field } of values) {
    if (!/^(?:-[fM]|--(?:filter|remote-option|(?:in|ex)clude(?:-from)?))$/.test(name)) continue;
    // A file of nothing but patterns that leave out takes nothing in.
    const [, merged, ruled] = /^(?:(:-|dir-merge,-)[ _][^\s,]+|(?:-|exclude)[ _](.+))$/s.exec(field.text) ?? [];
    const rule = name === '--exclude' ? field.text : /^-f|^--filter/.test(name) ? (ruled ?? merged) : '!';
    if (!field.isKnown || field.isPattern || rule === undefined || /^(?:!|[-+] )/.test(rule)) return [];
    const plain = rule.replace(/^\*\*\//, '').replace(/\/\*{1,3}$/, '/');
    if (rule !== merged && !/[*?[\\]|^\/?$/.test(plain)) names.push(plain);
  }
  return names;
}

/**
 * Tells of a path below a source whether it, or a folder above it, is left out. What is named as a source never is.
 * @param keepsPath true where paths begin further up, so that nobody can say what a slash in a name is about.
 */
export function leavesOut(names: readonly string[], source: string, keepsPath: boolean): (path: string) => boolean {
  const top = /(?:^|\/)\.{0,2}$/.test(source) ? '' : source.replace(/^(?:.*\/)?/s, '/');
  return (path) =>
    names.some((name) => {
      const [isFirst, isDeep] = [name.startsWith('/'), name.slice(1, -1).includes('/')];
      if ((isFirst || isDeep) && (keepsPath || (!isDeep && top !== ''))) return false;
      const end = name.endsWith('/') ? '' : '/';
      const at = `${isDeep ? top : ''}/${path}${end}`.indexOf(`${isFirst ? '' : '/'}${name}${end}`);
      return isFirst ? at === 0 : at >= 0;
    });
}

/** Behind `-x` of `zip` stand as many patterns as there are. */
export function moreLeftOut(args: readonly Field[], option = /^(?:-[a-zA-Z]*x|--exclude)$/): readonly Field[] {
  const at = args.findIndex(({ text }) => option.test(text));
  const end = args.findIndex(({ text }, index) => index > at && /^[-@]/.test(text));
  return at < 0 ? [] : args.slice(at + 2, end < 0 ? args.length : end);
}
