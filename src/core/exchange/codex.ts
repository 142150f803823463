import { say } from '../base/sentence';
import { isPlainLine } from './commandText';
import { readPrefixRules } from './prefixRules';
import { matching, type Notes, type RuleFormat, type Statement, statements, type Verdict } from './statement';
import { toolsOfActs } from './toolsOfActs';

const verdicts: Readonly<Record<string, Verdict>> = { forbidden: 'deny', prompt: 'ask', allow: 'allow' };
const decisions: Readonly<Record<Verdict, string>> = { deny: 'forbidden', ask: 'prompt', allow: 'allow' };
const mostLines = 200;

/** `prefix_rule` of Codex' `.rules` files, about commands alone: the strictest that matches counts. */
export const codex: RuleFormat = {
  title: 'Codex',
  agent: 'codex',
  rulesFile: '.codex/rules/agent-capabilities.rules',
  tools: toolsOfActs('codex', { run: 'Bash' }),
  verdicts: ['deny', 'ask', 'allow'],
  readsFreely: false,
  // What runs within its sandbox is no matter of these rules.
  passes: [],
  read(text, _place, notes) {
    const { rules, others } = readPrefixRules(text);
    for (const name of others) notes.add(say('import_no_rule', name), 'information');
    return rules.flatMap(({ pattern, decision }) => {
      const from = `prefix_rule(${JSON.stringify(pattern)})`;
      const verdict = Object.hasOwn(verdicts, decision) ? verdicts[decision] : undefined;
      return verdict === undefined ? notes.unknown(`${from} ${decision}`) : lines(pattern, verdict, from, notes);
    });
  },
  entries({ verdict, reach }) {
    if (reach.act !== 'run' || reach.pattern === undefined || verdict === 'allow' || !isPlainLine(reach.pattern))
      return undefined;
    const words = reach.pattern.trim().split(/\s+/);
    const star = words.findIndex((word) => word.includes('*'));
    const whole = star < 0 ? words : words.slice(0, star);
    const begun = words[star]?.split('*')[0];
    if (whole.length === 0) return undefined;
    // `git push*` is `git push`, and may be any other word that begins so: for that the words before it have to do.
    return begun ? [rule([...whole, begun], verdict), rule(whole, 'ask')] : [rule(whole, verdict)];
  },
  file(entries) {
    return `${[...new Set(entries.map(({ entry }) => entry))].join('\n')}\n`;
  },
};

const rule = (words: readonly string[], verdict: Verdict): string =>
  `prefix_rule(pattern = ${JSON.stringify(words)}, decision = "${decisions[verdict]}")`;

function lines(
  pattern: readonly (readonly string[])[],
  verdict: Verdict,
  from: string,
  notes: Notes,
): readonly Statement[] {
  let found: readonly string[] = [''];
  let isCut = false;
  for (const words of pattern) {
    const isPlain = words.length > 0 && words.every((word) => /^[\w./:=@%+,-]+$/.test(word));
    if (!isPlain || found.length * words.length > mostLines) {
      isCut = true;
      break;
    }
    found = found.flatMap((line) => words.map((word) => `${line} ${word}`.trim()));
  }
  if (isCut || pattern.length === 0) {
    notes.add(say(verdict === 'allow' ? 'import_dropped' : 'import_widened', from, say('exchange_why_pattern')));
    if (verdict === 'allow') return [];
  }
  if (found.includes('')) return statements(verdict, from, [{ act: 'run' }]);
  return statements(
    verdict,
    from,
    found.flatMap((line) => matching('run', [line, `${line} *`])),
  );
}
