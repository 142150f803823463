import type { Translate } from '../base/translate';
import { visible } from '../base/visible';
import { type Burst, isTakenBack, type PastChange } from '../changes/history';
import type { ChangedFile } from '../changes/overview';
import type { RowBase } from './treeRow';
import { boldMarkdown, fileCount, plainMarkdown, wholeNumber } from './words';

/** A burst of work or a file of it, as the view "Changes by Agents" draws it. All foreign texts are made visible. */
export interface ChangeRow extends Omit<RowBase, 'checkbox' | 'children' | 'expandable'> {
  readonly burst: string;
  /** Left out where the row stands for all of the burst. */
  readonly file?: ChangedFile;
  readonly changes: readonly PastChange[];
  /** Holds `undo` where something stands and `redo` where something was taken back. */
  readonly contextValue: string;
}

interface RowWords {
  readonly t: Translate;
  /** A time as people write it here, from milliseconds since 1970. */
  readonly when: (time: number) => string;
  /** A profile's name by its id. */
  readonly profileName: (id: string) => string;
  /** A tool's title by its id; the id where no tool has it any more. */
  readonly toolTitle: (id: string) => string;
  readonly isUnseen: (change: PastChange) => boolean;
}

const show = (text: string): string => visible(text.replace(/\s+/g, ' '));

/** The row of a burst. @param files how many places it changed. */
export function burstRow(burst: Burst, files: number, words: RowWords): ChangeRow {
  const { t, when, profileName, toolTitle, isUnseen } = words;
  const { id, changes, startedAt, endedAt, profile, agent } = burst;
  const takenBack = changes.filter(isTakenBack).length;
  const state = takenBack === 0 ? [] : [takenBack === changes.length ? t('taken back') : t('partly taken back')];
  const unseen = changes.some(isUnseen) ? [t('not looked at yet')] : [];
  const facts = [show(agent ?? profileName(profile)), fileCount(files, t), ...state, ...unseen];
  return {
    id,
    burst: id,
    changes,
    label: when(startedAt),
    description: facts.join(' · '),
    icon: takenBack === changes.length ? 'discard' : 'history',
    warns: false,
    contextValue: contextValue('burst', { undo: takenBack < changes.length, redo: takenBack > 0 }),
    accessibleLabel: [when(startedAt), ...facts].join(', '),
    tooltip: () =>
      [
        t('From {0} to {1}', when(startedAt), when(endedAt)),
        facts.join(' · '),
        [...new Set(changes.map(({ tool }) => show(toolTitle(tool))))].join(', '),
      ]
        .map(plainMarkdown)
        .join('\n\n'),
  };
}

/** The rows of the files of a burst. */
export function fileRows(burst: string, files: readonly ChangedFile[], words: RowWords): readonly ChangeRow[] {
  const { t, isUnseen, toolTitle, when } = words;
  return files.map((file, at): ChangeRow => {
    const { path, changes, state } = file;
    const slash = path.lastIndexOf('/');
    const takenBack = changes.filter(isTakenBack).length;
    const action = actionWord(file.action, t);
    const unseen = state !== 'taken_back' && changes.some(isUnseen) ? [t('not looked at yet')] : [];
    const counts = file.added === undefined || file.removed === undefined ? undefined : [file.added, file.removed];
    const [added = 0, removed = 0] = counts ?? [];
    return {
      id: `${burst}/${path}`,
      burst,
      file,
      changes,
      label: show(path.slice(slash + 1)),
      description: [
        ...(slash > 0 ? [show(path.slice(0, slash))] : []),
        action,
        ...(counts ? [`+${wholeNumber(added, t)} −${wholeNumber(removed, t)}`] : []),
        stateWord(state, t),
        ...unseen,
      ].join(' · '),
      icon: stateIcons[state],
      warns: state === 'cannot',
      contextValue: contextValue('file', {
        undo: state === 'as_left' || state === 'changed_since',
        redo: takenBack > 0,
      }),
      accessibleLabel: [
        show(path),
        action,
        ...(counts ? [t('lines: {0} added, {1} removed', wholeNumber(added, t), wholeNumber(removed, t))] : []),
        stateWord(state, t),
        ...unseen,
        t('{0} of {1}', at + 1, files.length),
      ].join(', '),
      tooltip: () =>
        [
          boldMarkdown(show(path)),
          plainMarkdown([action, stateWord(state, t)].join(' · ')),
          ...changes
            .map((one) => [when(one.time), show(toolTitle(one.tool)), ...originWords(one, t)].join(' · '))
            .map(plainMarkdown)
            .slice(-10),
        ].join('\n\n'),
    };
  });
}

/** How sure it is that the call made the change; nothing where it is certain. */
function originWords({ isFound, orBy }: PastChange, t: Translate): readonly string[] {
  if (orBy) return [t('found by comparing before and after; another call that ran then may have made it')];
  return isFound ? [t('found by comparing before and after; what others did meanwhile is among it')] : [];
}

function contextValue(kind: string, can: { readonly undo: boolean; readonly redo: boolean }): string {
  return ['change', kind, ...(can.undo ? ['undo'] : []), ...(can.redo ? ['redo'] : [])].join('.');
}

const stateIcons: Readonly<Record<ChangedFile['state'], string>> = {
  as_left: 'check',
  changed_since: 'git-merge',
  taken_back: 'discard',
  cannot: 'circle-slash',
};

function stateWord(state: ChangedFile['state'], t: Translate): string {
  return {
    as_left: t('as the agent left it'),
    changed_since: t('changed since'),
    taken_back: t('taken back'),
    cannot: t('cannot be taken back'),
  }[state];
}

function actionWord(action: ChangedFile['action'], t: Translate): string {
  return {
    create: t('created'),
    write: t('changed'),
    delete: t('deleted'),
    move: t('moved'),
    make_folder: t('folder made'),
  }[action];
}

interface TakenBack {
  readonly done: number;
  /** What was done concerns these. */
  readonly paths: readonly string[];
  readonly merged: readonly string[];
  readonly conflicts: readonly string[];
  readonly impossible: readonly string[];
  /** Folders that stay, because they hold other things now. */
  readonly kept: readonly string[];
  /** How many changes were not come to. */
  readonly notReached: number;
  readonly isRedo: boolean;
}

/**
 * What is told after a take-back: what was done, and what is in the way.
 * @param undone paths as policy knows them.
 */
export function takenBackWords(
  undone: TakenBack,
  t: Translate,
): { readonly text: string; readonly isWarning: boolean } {
  const { done, paths, merged, conflicts, impossible, kept, notReached, isRedo } = undone;
  const named = (some: readonly string[]): string => [...new Set(some)].map(show).slice(0, 5).join(', ');
  const [file, ...others] = new Set(paths);
  const only = others.length === 0 && file !== undefined ? show(file) : undefined;
  const text = [
    doneWords(done, only, isRedo, t),
    ...(merged.length > 0 ? [t('Kept with what was changed since: {0}.', named(merged))] : []),
    ...(conflicts.length > 0 ? [t('Left as it is, because it was changed since: {0}.', named(conflicts))] : []),
    ...(impossible.length > 0 ? [t('Cannot be taken back: {0}.', named(impossible))] : []),
    ...(kept.length > 0 ? [t('Stays, because it holds other things now: {0}.', named(kept))] : []),
    ...(notReached > 0 ? [t('Not reached: {0}.', wholeNumber(notReached, t))] : []),
  ].join(' ');
  return { text, isWarning: conflicts.length + impossible.length + notReached > 0 };
}

/** @param only the one file that all of it was about. */
function doneWords(done: number, only: string | undefined, isRedo: boolean, t: Translate): string {
  const count = wholeNumber(done, t);
  if (only === undefined)
    return isRedo ? t('{0} changes were made again.', count) : t('{0} changes were taken back.', count);
  if (done === 1)
    return isRedo ? t('The change of {0} was made again.', only) : t('The change of {0} was taken back.', only);
  return isRedo
    ? t('{0} changes of {1} were made again.', count, only)
    : t('{0} changes of {1} were taken back.', count, only);
}
