import { counted } from '../base/figures';
import { visible } from '../base/visible';
import type { PolicyDifference, Searched, Witness } from '../policy/cases/difference';

/** A call in one line: `write_file by agent, low risk: fs.write keys/a`. */
export function witnessCall({ subject }: Witness): string {
  const { tool, capabilityId, actor, riskLevel, costClass, source, input, accesses, sideEffects } = subject;
  const touched = accesses.map(({ access }) => {
    const flags = [access.recursive ? ' recursive' : '', access.permanent ? ' permanent' : ''].join('');
    return `${access.effect} ${access.resource}${flags}`;
  });
  const given = input === undefined || JSON.stringify(input) === '{}' ? '' : ` ${JSON.stringify(input)}`;
  const facts = [
    `by ${actor ?? 'nobody'}`,
    ...(riskLevel === 'low' ? [] : [`${riskLevel} risk`]),
    ...(costClass === 'free' ? [] : [costClass]),
    ...(source === undefined ? [] : [`from ${source}`]),
    ...(sideEffects.length === 0 ? [] : [`declares ${sideEffects.join(', ')}`]),
  ];
  const named = tool?.names[0] ?? `capability ${capabilityId}`;
  return visible(`${named}${given} ${facts.join(', ')}: ${touched.join(' and ') || 'touches nothing'}`);
}

/** The difference of two policies for a terminal. */
export function differenceText({ witnesses, searched }: PolicyDifference): string {
  const lines = witnesses.map(
    (one) =>
      `${one.before} → ${one.after}  ${witnessCall(one)}${one.because.length === 0 ? '' : `  (${one.because.join(', ')})`}${one.from === 'record' ? '  [recorded]' : ''}`,
  );
  return [...(lines.length === 0 ? ['no call found that they judge differently'] : lines), searchedText(searched)].join(
    '\n',
  );
}

/** What was searched, so that *none found* says what it is worth. */
function searchedText({ calls, recorded, isWhole, unreached }: Searched): string {
  const parts = [
    `searched: ${counted(calls, 'call')} made of what the rules name${isWhole ? '' : ', some of all combinations'}`,
    `${counted(recorded, 'call')} of the record`,
    ...(unreached.length === 0
      ? []
      : [`not searched: what ${unreached.join(', ')} says, of which no call could be made`]),
  ];
  return parts.join('; ');
}
