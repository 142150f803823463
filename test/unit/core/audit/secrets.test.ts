import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { findSecrets, isSecretName } from '../../../../src/core/audit/secrets';
import { runs } from '../../../support/counts';
import { workedMs } from '../../../support/processorTime';

/** The plain reading: from every letter on, a name may begin. */
const assigned =
  /([A-Za-z_][\w.$-]{0,80})(?:\\{0,3}["'`\]]){0,2}\s{0,5}(?:=>|:=|==|[:=>])\s{0,5}(?:\\{0,3}"((?:[^"\\\r\n]|\\.){1,4096})"|'((?:[^'\\\r\n]|\\.){1,4096})'|`([^`]{1,4096})`|\\{1,3}"([^"\\]{1,4096})|(?:(?:bearer|basic|token)\s{1,5})?([^\s"'`,;&<>(){}[\]|]{1,4096}))/gi;

const placeholder = /\{\{secret:[a-z0-9]{1,16}(?:-[a-z0-9]{1,16}){0,4}:[0-9a-f]{4,8}\}\}/y;

function assignedPlainly(text: string): readonly string[] {
  const found: string[] = [];
  assigned.lastIndex = 0;
  for (let match = assigned.exec(text); match; match = assigned.exec(text)) {
    const [whole, name = ''] = match;
    const secret = match.slice(2).find((one) => one !== undefined) ?? '';
    const start = match.index + whole.lastIndexOf(secret);
    placeholder.lastIndex = match.index - 2;
    if (match.index > 1 && placeholder.test(text)) assigned.lastIndex = placeholder.lastIndex;
    else if (isSecretName(name) && !/^[-+]?\d{1,9}(?:\.\d+)?$/.test(secret))
      found.push(`${start}-${start + secret.length}`);
    else assigned.lastIndex = match.index + name.length + 1;
  }
  return found;
}

const pieces = [
  ...['password', 'token', 'my.token', '$token', '-pin', '1pin', 'x'.repeat(90), `${'y'.repeat(75)}.token`, 'error'],
  ...['=', ':', '=>', ':=', '==', '>', ' ', '  ', '\n', '      ', '"', "'", '`', ']', '\\', '\\"', '"]', '&', '<'],
  ...['value', '12', 'hunter2', '-', '.', '_', 'é', 'bearer ', 'z'.repeat(5000), '{{secret:api-key:0a1b2c}}', '{{'],
];

describe('Secrets under the name that they are assigned to', () => {
  it('are those that a name from any letter on would find', () => {
    const texts = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 24 });
    fc.assert(
      fc.property(texts, (parts) => {
        // The first part has the text looked at, and is found by nothing else.
        const text = `sid ${parts.join('')}`;
        const found = findSecrets(text).flatMap(({ rule, start, end }) =>
          rule === 'secret name' ? [`${start}-${end}`] : [],
        );
        assert.deepEqual(
          assignedPlainly(text).filter((one) => !found.includes(one)),
          [],
        );
        // What stands behind `--name` is found too.
        if (!/-[a-z]/i.test(text)) assert.deepEqual(found, assignedPlainly(text));
      }),
      { numRuns: runs(75, 1000, 50_000) },
    );
  });

  it('are looked for in a long name in about the time of short ones', () => {
    const fastest = (text: string): number =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const began = workedMs();
          findSecrets(text);
          return workedMs() - began;
        }),
      );
    const short = fastest(`pin ${'ab. '.repeat(50_000)}`);
    const long = fastest(`pin ${`${'ab.'.repeat(60)}, `.repeat(1100)}`);
    assert.ok(long < 3 * short, `${long} ms, and ${short} ms for short names`);
  });
});
