import { codeWord } from '../vocabulary/codeWord';
import type { Translate } from '../base/translate';
import { isOwnFilesId } from '../policy/rules/ownFiles';
import type { Boundary } from '../vocabulary/boundary';
import { ruleWords } from '../vocabulary/ruleWords';
import { reasonWords } from '../vocabulary/reasonWords';
import { oneLine } from './approvalWords';
import { groupRows, leaf, type TreeRow } from './treeRow';
import { boldMarkdown, codeSpan, plainMarkdown, proseMarkdown, rowText } from './words';
import { isPresetId } from '../policy/rules/presets';

interface RuleRowsInput {
  /** Every rule in force, with those of the profile's capabilities. */
  readonly rules: readonly Boundary[];
  readonly preset: string;
  readonly hitsOf: (rule: string) => number;
  /** A file of rules as it is called in this window. */
  readonly fileName: (path: string) => string;
  readonly t: Translate;
}

/** The group "Rules in force": every rule below where it comes from, the strongest place first. */
export function ruleRows(input: RuleRowsInput): readonly TreeRow[] {
  const { rules, t } = input;
  if (rules.length === 0) return [];
  const origins = new Map<string, Boundary[]>();
  for (const rule of rules) {
    const origin = originWords(rule, input, t);
    origins.set(origin, [...(origins.get(origin) ?? []), rule]);
  }
  const denying = rules.filter((rule) => kindOf(rule) === 'deny').length;
  const asking = rules.filter((rule) => kindOf(rule) === 'ask').length;
  const label = t('Rules in force');
  const description = [
    denying === 1 ? t('1 denies') : t('{0} deny', denying),
    asking === 1 ? t('1 asks') : t('{0} ask', asking),
  ].join(', ');
  return groupRows('rules', {
    label,
    description,
    icon: 'law',
    accessibleLabel: t('{0}, group: {1}', label, description),
    children: () =>
      [...origins].flatMap(([origin, some]) =>
        groupRows(`rules:${origin}`, {
          label: origin,
          description: String(some.length),
          icon: 'list-unordered',
          accessibleLabel: t('{0}, group: {1}', origin, some.length),
          contextValue: 'group.ruleOrigin',
          children: () => rowsOf(some, origin, input, t),
        }),
      ),
  });
}

type RuleKind = 'deny' | 'ask' | 'advise' | 'allow' | 'account' | 'trial';

function kindOf({ decision, severity }: Boundary): RuleKind {
  if (severity === 'soft') return 'trial';
  if (decision === 'require_approval') return 'ask';
  return decision === 'deny_unless_account' ? 'account' : decision;
}

const icons: Readonly<Record<RuleKind, string>> = {
  deny: 'circle-slash',
  ask: 'question',
  advise: 'info',
  allow: 'pass',
  account: 'account',
  trial: 'beaker',
};

/** What a rule does to a call that it is about, in a word or two. */
export function effectWords(rule: Boundary, t: Translate): string {
  const kind = kindOf(rule);
  if (kind === 'trial') return t('on trial, changes nothing');
  if (kind === 'account') return t('denies unless the account {0} is there', oneLine(rule.account ?? ''));
  if (kind === 'ask' && rule.admin) return t('asks for the admin token');
  return codeWord('decision', rule.decision, t) ?? rule.decision;
}

/** Where a rule comes from, in words for people. */
export function originWords(
  { scope, id, file }: Boundary,
  { preset, fileName }: Pick<RuleRowsInput, 'preset' | 'fileName'>,
  t: Translate,
): string {
  switch (scope) {
    case 'builtin':
      if (isOwnFilesId(id)) return t('Built in');
      return isPresetId(id) ? t('Preset {0}', preset) : t('Setting {0}', 'policy.adminApproval');
    case 'managed':
      return t('Your administrator');
    case 'user':
      return t('Your settings');
    case 'bundle':
      return t('A signed bundle');
    case 'workspace':
      return file === undefined ? t('Settings of the workspace') : oneLine(fileName(file));
    case 'profile':
      return t('Capabilities that are on');
  }
}

/** What can be done about a rule where it stands; read by the menus. */
function placeOf({ scope, id, file }: Boundary): 'edit' | 'file' | 'fixed' {
  if (scope !== 'managed' && scope !== 'bundle' && scope !== 'profile' && !isOwnFilesId(id)) return 'edit';
  return file === undefined ? 'fixed' : 'file';
}

function rowsOf(
  rules: readonly Boundary[],
  origin: string,
  { hitsOf }: RuleRowsInput,
  t: Translate,
): readonly TreeRow[] {
  const seen = new Map<string, number>();
  return rules.map((rule): TreeRow => {
    const again = seen.get(rule.id) ?? 0;
    seen.set(rule.id, again + 1);
    const words = ruleWords(rule);
    const name = oneLine(rule.id);
    const reason = oneLine(reasonWords(words.reason, t));
    const effect = effectWords(rule, t);
    const hits = hitsOf(rule.id);
    const count = hits === 1 ? t('1 hit') : t('{0} hits', hits);
    const state = [effect, ...(hits > 0 ? [count] : [])];
    const faulty = (rule.faults?.length ?? 0) > 0;
    return {
      ...leaf,
      kind: 'rule',
      rule,
      id: `rule:${origin}:${rule.id}:${again}`,
      label: name,
      description: [...state, rowText(reason)].join(' · '),
      icon: faulty ? 'warning' : icons[kindOf(rule)],
      warns: faulty,
      tooltip: () =>
        [
          `${boldMarkdown(name)} ${plainMarkdown(effect)}`,
          proseMarkdown(reason),
          ...clauseLines(rule),
          plainMarkdown(t('From: {0}', origin)),
          plainMarkdown(t('{0} in this window', count)),
        ].join('\n\n'),
      accessibleLabel: t('Rule {0}, {1}, from {2}, {3}: {4}', name, effect, origin, count, rowText(reason)),
      contextValue: `rule.${placeOf(rule)}`,
    };
  });
}

const mostValues = 5;

/** The clauses of a rule as lines of markdown, each value as code. */
export function clauseLines({ match, exceptions }: Boundary, most = mostValues): readonly string[] {
  const line = (name: string, value: unknown): string => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const shown = values.slice(0, most).map((one) => codeSpan(typeof one === 'string' ? one : JSON.stringify(one)));
    const more = values.length - shown.length;
    return `${codeSpan(name)}: ${[...shown, ...(more > 0 ? [`+${more}`] : [])].join(', ')}`;
  };
  return [
    ...Object.entries(match).map(([name, value]) => line(name, value)),
    ...(exceptions.length > 0 ? [line('exceptions', exceptions)] : []),
  ];
}
