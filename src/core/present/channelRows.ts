import { visible } from '../base/visible';
import { failureSaid, type PolledValue } from '../definitions/channelPoller';
import { cutEnd } from '../base/text';
import { groupRows, leaf, type TreeRow } from './treeRow';
import type { Translate } from '../base/translate';
import { reasonWords } from '../vocabulary/reasonWords';
import { codeSpan, plainMarkdown, rowText } from './words';

interface ChannelRowsInput {
  readonly values: readonly PolledValue[];
  /** Says a time as people read it. */
  readonly when: (time: number) => string;
  readonly t: Translate;
}

const longest = 80;

/**
 * The group "Channels": the last answer of every tool that its channel refreshes. Left out where nothing is refreshed.
 */
export function channelRows({ values, when, t }: ChannelRowsInput): readonly TreeRow[] {
  const failed = values.filter(({ result }) => !result.success).length;
  const description =
    failed > 0 ? t('{0} of {1} did not answer', failed, values.length) : t('{0} refreshed', values.length);
  const children = values.map(({ channel, tool, result, at }): TreeRow => {
    const label = visible(`${channel} ${tool}`);
    const whole = result.success
      ? (JSON.stringify(result.payload) ?? '')
      : rowText(reasonWords(failureSaid(result), t));
    const text = visible(whole);
    const short = cutEnd(text, longest);
    return {
      ...leaf,
      kind: 'group',
      id: `channel:${channel}:${tool}`,
      label,
      description: `${short} · ${when(at)}`,
      icon: result.success ? 'broadcast' : 'warning',
      warns: !result.success,
      tooltip: () => `${plainMarkdown(label)}\n\n${codeSpan(text.slice(0, 2000))}`,
      accessibleLabel: [label, ...(result.success ? [] : [t('did not answer')]), short, when(at)].join(', '),
      contextValue: 'channel.value',
    };
  });
  return groupRows('channels', {
    label: t('Channels'),
    description,
    icon: 'broadcast',
    warns: failed > 0,
    tooltip: t('What channels refresh while this view is open'),
    accessibleLabel: t('Channels, group of {0}, {1}', values.length, description),
    children,
  });
}
