import { fileCount, oneDecimal, wholeNumber } from './words';
import type { Translate } from '../base/translate';
import type { Removed, Sent, Stake, VersionCounts } from '../vocabulary/stake';
import { oneLine } from './approvalWords';

/** What a call puts at stake, a phrase for each fact: `12 files, 48 KB`, `git holds 10 of them as they are`. */
export function stakeWords(stake: Stake | undefined, t: Translate): readonly string[] {
  if (!stake) return [];
  const { lines, removes, versions, rows, sends } = stake;
  return [
    ...(lines ? [lineWords(lines, t)] : []),
    ...(removes ? removedWords(removes, t) : []),
    ...(versions ? versionWords(versions, stake.undo === 'never', t) : []),
    ...(rows === undefined
      ? []
      : [rows === 1 ? t('1 row would change') : t('{0} rows would change', wholeNumber(rows, t))]),
    ...(sends ? sentWords(sends, t) : []),
  ];
}

function lineWords({ added, removed }: NonNullable<Stake['lines']>, t: Translate): string {
  if (added === 0 && removed === 0) return t('no line would change');
  return t('lines +{0} −{1}', wholeNumber(added, t), wholeNumber(removed, t));
}

function removedWords({ files, folders, bytes, kept, isPartial }: Removed, t: Translate): readonly string[] {
  const parts = [
    ...(files > 0 || folders === 0 ? [fileCount(files, t)] : []),
    ...(folders > 0 ? [folders === 1 ? t('1 folder') : t('{0} folders', wholeNumber(folders, t))] : []),
    ...(files > 0 ? [size(bytes, t)] : []),
  ].join(', ');
  return [
    isPartial ? t('{0} or more would go', parts) : t('{0} would go', parts),
    ...(kept === undefined ? [] : [t('{0} that rules protect would stay', wholeNumber(kept, t))]),
  ];
}

/** `isLost`: nothing else gives back what git does not hold. */
function versionWords({ held, differs, untracked }: VersionCounts, isLost: boolean, t: Translate): readonly string[] {
  const all = held + differs + untracked;
  const lost = isLost && held < all ? [all === 1 ? t('it would be lost') : t('those would be lost')] : [];
  if (all === 1) {
    const one =
      held === 1
        ? t('git holds it as it is')
        : differs === 1
          ? t('git holds another content of it')
          : t('git does not hold it');
    return [one, ...lost];
  }
  if (held === all) return [t('git holds all of them as they are')];
  return [
    t('git holds {0} of {1} files as they are', wholeNumber(held, t), wholeNumber(all, t)),
    ...(differs > 0 ? [t('another content of {0}', wholeNumber(differs, t))] : []),
    ...(untracked > 0 ? [t('nothing of {0}', wholeNumber(untracked, t))] : []),
    ...lost,
  ];
}

function sentWords({ to, method, bytes, headers = [], secrets = [] }: Sent, t: Translate): readonly string[] {
  const goesTo = oneLine(to);
  const first = method === undefined ? t('to {0}', goesTo) : t('{0} to {1}', oneLine(method), goesTo);
  return [
    bytes === undefined ? first : t('{0} with {1}', first, size(bytes, t)),
    ...(headers.length > 0 ? [t('headers {0}', headers.map(oneLine).join(', '))] : []),
    ...(secrets.length > 0 ? [t('secrets {0}', secrets.map(oneLine).join(', '))] : []),
  ];
}

/** A size as people read it: `0 bytes`, `1.2 KB`, `48 MB`. */
function size(bytes: number, t: Translate): string {
  const units = ['KB', 'MB', 'GB', 'TB'];
  if (bytes < 1000) return bytes === 1 ? t('1 byte') : t('{0} bytes', bytes);
  let value = bytes / 1000;
  let at = 0;
  while (value >= 999.5 && at < units.length - 1) {
    value /= 1000;
    at++;
  }
  return `${value < 9.95 ? oneDecimal(value, t) : wholeNumber(Math.round(value), t)} ${units[at] ?? ''}`;
}
