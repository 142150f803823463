import * as vscode from 'vscode';
import { didYouMean } from '../../core/base/nearest';
import type { Profile } from '../../core/profiles/profile';
import { worded } from '../../core/base/sentence';
import { describeSwitch } from '../../core/present/profileDiff';
import type { CommandContext, CommandHandler } from './context';
import { type Choice, pickOther } from './pickOther';
import type { Mode } from '../../core/vocabulary/decision';
import { profileWords } from '../../core/profiles/shippedProfiles';

interface ProfileQuestion {
  readonly title: string;
  readonly only?: (id: string) => boolean;
  /** True where the answer is switched to, so that each row says what that would change. */
  readonly isSwitch?: boolean;
}

async function pickProfile(
  context: Pick<CommandContext, 'profiles'>,
  { title, only, isSwitch }: ProfileQuestion,
): Promise<string | undefined> {
  const { profiles } = context;
  const active = profiles.active();
  const items = [...profiles.profiles()]
    .filter(([id]) => only?.(id) ?? true)
    // The list starts at its first row.
    .sort(([one], [other]) => Number(other === active.id) - Number(one === active.id))
    .map(([id, { profile, pendingWidening }]) => {
      const resolved = isSwitch && id !== active.id ? profiles.resolve(id) : undefined;
      const change = resolved ? [describeSwitch(active, resolved, vscode.l10n.t)] : [];
      const { name, description } = profileWords(profile, vscode.l10n.t);
      return {
        label: `${id === active.id ? '$(check) ' : ''}${name}`,
        description: `${profile.mode} · ${id}${pendingWidening ? ` · ${vscode.l10n.t('partly held back')}` : ''}`,
        detail: [...(description === '' ? [] : [description]), ...change].join(' · '),
        id,
      };
    });
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, matchOnDetail: true });
  return picked?.id;
}

/** Takes a profile's id from a program or asks for it. */
export async function profileFrom(
  context: Pick<CommandContext, 'profiles'>,
  given: unknown,
  question: ProfileQuestion,
): Promise<Profile | undefined> {
  const { profiles } = context;
  const id = typeof given === 'string' ? given : await pickProfile(context, question);
  if (id === undefined) return undefined;
  const profile = profiles.profiles().get(id)?.profile;
  if (!profile) throw new Error(`there is no profile \`${id}\`${didYouMean(id, profiles.profiles().keys())}`);
  return profile;
}

export const switchProfile: CommandHandler<'profiles'> = async (context, ...args) => {
  const profile = await profileFrom(context, args[0], { title: vscode.l10n.t('Switch profile'), isSwitch: true });
  if (!profile) return;
  const problem = context.profiles.activate(profile.id);
  if (problem) throw new Error(worded(problem.said, vscode.l10n.t));
};

export const setMode: CommandHandler<'editor' | 'profiles'> = async (context, ...args) => {
  const active = context.profiles.active();
  const choices: readonly Choice<Mode>[] = [
    { label: 'plan', description: vscode.l10n.t('agents read only'), id: 'plan' },
    { label: 'execute', description: vscode.l10n.t('agents act, within bounds'), id: 'execute' },
  ];
  const given = choices.find((choice) => choice.id === args[0])?.id;
  const mode =
    given ??
    (await pickOther(
      choices,
      active.mode,
      vscode.l10n.t('Mode of {0}', profileWords(active.profile, vscode.l10n.t).name),
    ));
  if (mode === undefined) return;
  // Whether it is that already is asked when the change is made: the editor reads settings files a moment late.
  await context.editor.change(active.id, vscode.l10n.t('set the mode {0}', mode), (profile) => ({ ...profile, mode }));
};
