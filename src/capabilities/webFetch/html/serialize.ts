import { type LeanNode, TEXT } from './leanNode';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};
const escapeData = (text: string): string =>
  /[&<>\u00a0]/.test(text) ? text.replace(/[&<>\u00a0]/g, (found) => escapes[found] ?? found) : text;
const escapeValue = (text: string): string =>
  /[&"\u00a0]/.test(text) ? text.replace(/[&"\u00a0]/g, (found) => escapes[found] ?? found) : text;

/** Writes a node as HTML. `keep` decides which attributes are written; all of them where it is left out. */
export function serialize(node: LeanNode, keep?: (name: string, value: string) => string | undefined): string {
  if (node.type === TEXT) {
    const raw = node.parent?.tag.rawText === 'raw';
    return raw ? node.data : escapeData(node.data);
  }
  const name = node.tag.name.toLowerCase();
  let html = `<${name}`;
  const list = node.attrs ?? [];
  for (let at = 0; at < list.length; at += 2) {
    const attribute = list[at] ?? '';
    const value = keep ? keep(attribute, list[at + 1] ?? '') : list[at + 1];
    if (value !== undefined && /^[^\s"'<>/=]+$/.test(attribute)) html += ` ${attribute}="${escapeValue(value)}"`;
  }
  html += '>';
  if (node.tag.empty) return html;
  for (let child = node.first; child; child = child.next) html += serialize(child, keep);
  return `${html}</${name}>`;
}
