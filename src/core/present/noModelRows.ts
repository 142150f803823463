import type { Translate } from '../base/translate';
import { groupRows, leaf, type TreeRow } from './treeRow';
import { boldMarkdown, plainMarkdown } from './words';

/** What works where the editor has no language model, and how to get one: a label and a few words each. */
function withoutModel(
  t: Translate,
): readonly { readonly label: string; readonly words: string; readonly icon: string }[] {
  return [
    {
      label: t('Play the Tour'),
      words: t('a script in the place of the model, everything else real'),
      icon: 'play-circle',
    },
    { label: t('Run Tool…'), words: t('every tool by hand, through the same gate'), icon: 'play' },
    { label: t('New Rule from a Call…'), words: t('rules, their cases and why a call is denied'), icon: 'law' },
    {
      label: t('Copy Client Configuration…'),
      words: t('Claude Code, Codex and other MCP clients use the tools'),
      icon: 'plug',
    },
    {
      label: t('Command line'),
      words: t('list, call, why, policy test, audit; the README says how it is started'),
      icon: 'terminal',
    },
    {
      label: t('Get a model'),
      words: t('sign in in the chat, or run Chat: Manage Language Models for a key or a model of your own'),
      icon: 'sparkle',
    },
  ];
}

/** The group that the Capabilities view shows while there is no language model. */
export function noModelRows(t: Translate): readonly TreeRow[] {
  const rows = withoutModel(t).map(({ label, words, icon }, at): TreeRow => ({
    ...leaf,
    kind: 'group',
    id: `noModel:${at}`,
    label,
    description: words,
    icon,
    tooltip: () => plainMarkdown(`${label}: ${words}`),
    accessibleLabel: `${label}, ${words}`,
    contextValue: 'noModel.entry',
  }));
  const label = t('No language model');
  const description = t('what works without one');
  return groupRows('noModel', {
    label,
    description,
    icon: 'info',
    accessibleLabel: `${label}, ${description}`,
    children: rows,
  });
}

/** The same as a document. */
export function withoutModelMarkdown(t: Translate): string {
  const rows = withoutModel(t).map(({ label, words }) => `- ${boldMarkdown(label)}: ${plainMarkdown(words)}`);
  return [`# ${t('What works without a language model')}`, '', ...rows, ''].join('\n');
}
