import { isObject } from '../../core/base/json';
import { createRedactor, type Redactor } from '../../core/audit/redact';
import { findByRules } from '../../core/secrets/finder';
import type { Finding, SecretFinder } from '../../core/secrets/finding';

/** Rules that look at files on disk, or that let a comment in the text switch all others off. */
const unwanted = /gcp$|filter-comments$/;
const name = (id: string): string => id.replace(/^.*secretlint-rule-/, '');

/**
 * Runs secretlint's recommended rules on a text. Its own runner is asynchronous and wants a file; its rules are
 * synchronous, so they are called here directly. A rule that throws finds nothing: the built-in rules have looked as
 * well.
 */
function finderOf(rules: readonly unknown[]): SecretFinder {
  const usable = rules
    .filter(isObject)
    .filter((rule) => isObject(rule['meta']) && !unwanted.test(String(rule['meta']['id'])));
  return (text) => {
    const found: Finding[] = [];
    for (const rule of usable) {
      const id = isObject(rule['meta']) ? name(String(rule['meta']['id'])) : '';
      const report = (data: unknown): void => {
        if (!isObject(data)) return;
        const range: unknown = data['range'];
        if (Array.isArray(range) && typeof range[0] === 'number' && typeof range[1] === 'number')
          found.push({ start: range[0], end: range[1], rule: id });
        // A range may be off by the length of a prefix; the message's data holds the secret itself.
        for (const value of Object.values(
          isObject(data['message']) && isObject(data['message']['data']) ? data['message']['data'] : {},
        ))
          if (typeof value === 'string' && value.length >= 8 && !value.includes(' '))
            for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
              found.push({ start: at, end: at + value.length, rule: id });
      };
      try {
        runRule(rule, text, report);
      } catch {
        // See above.
      }
    }
    return found;
  };
}

function runRule(rule: Record<string, unknown>, text: string, report: (data: unknown) => void): void {
  const { create } = rule;
  if (typeof create !== 'function') return;
  const context = {
    sharedOptions: {},
    createTranslator: () => (messageId: string, data: unknown) => ({ messageId, message: messageId, data }),
    report,
    ignore() {},
  };
  // The name has an extension of no rule's, so that only what looks at any text looks.
  const source = {
    content: text,
    filePath: 'audit.txt',
    physicalFilePath: undefined,
    ext: '.txt',
    contentType: 'text',
    hasBOM: false,
  };
  const made: unknown = create(context, { enableIDScanRule: true });
  if (isObject(made) && typeof made['file'] === 'function') made['file'](source);
}

/**
 * Loads secretlint's rules (a chunk of its own, about 230 KB) and answers a redactor that uses them and the finder by
 * which contexts are redacted besides the built-in ones: nothing that is hidden from a model stands in the record.
 */
export async function loadRedactor(): Promise<Redactor> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
  return createRedactor([findByRules, finderOf(rules)]);
}
